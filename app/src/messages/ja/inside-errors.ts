const tryAgain = 'もう一度お試しください。解決しない場合は、このアプリの管理者にお知らせください。'
const tellTheOwner = '変更できるのはこのアプリの管理者だけです。下のコードをお知らせください。'
const signInAgain = 'もう一度ログインしてください。保存していない内容はこのタブに残っています。'
const waitAMinute = '1 分ほど待ってから、もう一度お試しください。'
const askForAccess = '必要な場合は、このアプリの管理者にアクセス権を依頼してください。'
const checkTheValue = '値を修正して、もう一度保存してください。'
const projectChanged = 'プロジェクトが変更されています。ページを再読み込みしてください。'

export const insideErrors: Readonly<Record<string, { title: string; whatToDo: string }>> = {
  '22001': { title: 'テキストが長すぎます', whatToDo: checkTheValue },
  '22003': { title: '数値が大きすぎるか小さすぎます', whatToDo: checkTheValue },
  '22007': { title: '日付または時刻が無効です', whatToDo: checkTheValue },
  '22008': { title: '日付または時刻が範囲外です', whatToDo: checkTheValue },
  '22P02': { title: '値がフィールドの形式に合っていません', whatToDo: checkTheValue },
  '23502': { title: '必須フィールドが空です', whatToDo: '入力して、もう一度保存してください。' },
  '23001': { title: 'ほかのレコードがこのレコードを参照しています', whatToDo: '先に、関連するレコードを変更または削除してください。' },
  '23503': { title: 'このレコードに依存するレコードがあるか、参照先がなくなっています', whatToDo: '先に、関連するレコードを変更または削除してください。' },
  '23505': { title: 'この値のレコードはすでにあります', whatToDo: '別の値を選んでください。' },
  '23514': { title: '値がこのテーブルのルールに違反しています', whatToDo: checkTheValue },
  '23P01': { title: '別のレコードと範囲が重なっています', whatToDo: '別の範囲を選んでください。' },
  '25006': { title: 'ここでは変更できません', whatToDo: askForAccess },
  '40001': { title: 'ほかの人が同時に変更しました', whatToDo: 'もう一度お試しください。' },
  '40P01': { title: 'ほかの人が同時に変更しました', whatToDo: 'もう一度お試しください。' },
  '42501': { title: 'この操作を行う権限がありません', whatToDo: askForAccess },
  '42703': { title: '列が存在しません', whatToDo: projectChanged },
  '42883': { title: '関数が存在しません', whatToDo: projectChanged },
  '42P01': { title: 'このテーブルは存在しません', whatToDo: projectChanged },
  '42P17': { title: 'このテーブルのポリシーが自分自身を参照しています', whatToDo: tellTheOwner },
  '428C9': { title: 'この値は自動計算されるため、設定できません', whatToDo: 'フィールドはそのままにしてください。' },
  '53300': { title: 'データベースが混み合っています', whatToDo: waitAMinute },
  '53400': { title: 'データベースが混み合っています', whatToDo: waitAMinute },
  '55P03': { title: 'ほかの人が変更中です', whatToDo: '少し待ってから、もう一度お試しください。' },
  '57014': { title: '時間がかかりすぎたため停止しました', whatToDo: 'フィルターで絞り込んでから、もう一度お試しください。' },
  PGRST000: { title: 'データベースに接続できません', whatToDo: waitAMinute },
  PGRST001: { title: 'データベースに接続できません', whatToDo: waitAMinute },
  PGRST002: { title: 'データベースを起動しています', whatToDo: '少し待ってから、もう一度お試しください。' },
  PGRST003: { title: 'データベースが混み合っています', whatToDo: waitAMinute },
  PGRST100: { title: 'フィルターまたは並べ替えを読み取れませんでした', whatToDo: '変更または削除してください。' },
  PGRST102: { title: 'サーバーが送信内容を読み取れませんでした', whatToDo: tryAgain },
  PGRST103: { title: 'レコードの数が指定より少なくなっています', whatToDo: '最初のレコードに戻ってください。' },
  PGRST106: { title: 'このスキーマはアプリに公開されていません', whatToDo: tellTheOwner },
  PGRST116: { title: 'このレコードは存在しないか、表示する権限がありません', whatToDo: '削除された可能性があります。一覧に戻ってください。' },
  PGRST200: { title: 'これらのテーブルの関連付けがなくなっています', whatToDo: projectChanged },
  PGRST201: { title: 'これらのテーブルには複数の関連付けがあります', whatToDo: tellTheOwner },
  PGRST202: { title: 'この関数は存在しません', whatToDo: projectChanged },
  PGRST203: { title: '同じ名前の関数が複数あります', whatToDo: tellTheOwner },
  PGRST204: { title: '列が存在しません', whatToDo: projectChanged },
  PGRST205: { title: 'このテーブルは存在しません', whatToDo: projectChanged },
  PGRST300: { title: 'サーバーに署名キーがありません', whatToDo: tellTheOwner },
  PGRST301: { title: 'このセッションはサーバーで受け付けられません', whatToDo: signInAgain },
  PGRST302: { title: 'ログインが必要です', whatToDo: 'ログインしてから、もう一度お試しください。' },
  PGRST303: { title: 'セッションが終了しました', whatToDo: signInAgain },
}
