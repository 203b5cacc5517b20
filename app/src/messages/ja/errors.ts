import type { errors as English } from '#messages/en/errors.ts'
import { list, sentences } from './forms.ts'

const tryAgain = 'もう一度お試しください。解決しない場合は、このアプリの管理者にお知らせください。'
const signInAgain = 'もう一度ログインしてください。保存していない内容はこのタブに残っています。'
const newCode = '数字を確認するか、新しいコードを送信してください。'
const waitAMinute = '1 分ほど待ってから、もう一度お試しください。'
const askForAccess = '必要な場合は、このアプリの管理者にアクセス権を依頼してください。'

const passwordFaults: Readonly<Record<string, string>> = {
  length: '短すぎる',
  characters: '必要な種類の文字（小文字、大文字、数字、記号）が足りない',
  pwned: '漏えいしたデータに含まれていて推測されやすい',
}

export const errors: typeof English = {
  byCode: {
    invalid_credentials: { title: 'メールアドレスまたはパスワードが正しくありません', whatToDo: '両方を確認するか、新しいパスワードを設定してください。' },
    email_not_confirmed: { title: 'このアドレスはまだ確認されていません', whatToDo: 'お送りしたメールのリンクを開くか、メールを再送信してください。' },
    otp_expired: { title: 'コードまたはリンクが違うか、使用済みか、期限が切れています', whatToDo: newCode },
    over_request_rate_limit: { title: '試行回数が多すぎます', whatToDo: '数分待ってから、もう一度お試しください。' },
  },
  byKind: {
    'signed-out': { title: 'ログインが必要です', whatToDo: signInAgain },
    forbidden: { title: 'この操作を行う権限がありません', whatToDo: askForAccess },
    missing: { title: '存在しないか、表示する権限がありません', whatToDo: '削除または移動された可能性があります。' },
    conflict: { title: '現在の内容と矛盾しています', whatToDo: '再読み込みして最新の内容を確認してから、もう一度お試しください。' },
    invalid: { title: 'サーバーが入力内容を受け付けませんでした', whatToDo: '内容を確認して、もう一度お試しください。' },
    busy: { title: 'サーバーが混み合っています', whatToDo: waitAMinute },
    offline: { title: 'サーバーに接続できません', whatToDo: '接続を確認して、もう一度お試しください。入力した内容は失われていません。' },
    broken: { title: 'サーバーでエラーが発生しました', whatToDo: tryAgain },
  },
  sentences,
  weakPassword: (reasons) => ({
    title: 'このパスワードは推測されやすいものです',
    whatToDo: reasons.length > 0 ? `別のパスワードにしてください。理由：${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}。` : 'もっと長いパスワードにしてください。',
  }),
  waitSeconds: (seconds) => ({
    title: '次のメッセージはまだ送信できません',
    whatToDo: `${seconds} 秒後に再送信できます。`,
  }),
  ownWords: 'これはこのプロジェクトが定めたルールです。',
}
