import type { frontDoor as English } from '#messages/en/front-door.ts'

export const frontDoor: typeof English = {
  // The fields every page shares
  email: 'メールアドレス',
  emailMissing: 'メールアドレスを入力してください。',
  emailMalformed: 'メールアドレスの形式が正しくありません。ada@example.com のように入力してください。',
  password: 'パスワード',
  passwordMissing: 'パスワードを入力してください。',
  newPassword: '新しいパスワード',
  newPasswordMissing: 'パスワードを決めてください。',
  newPasswordHint: '複雑さより長さが大切です。覚えやすい単語を 3～4 個つなげるのがおすすめです。',
  continue: '続ける',
  change: '変更',
  changeEmail: (email) => `アドレス ${email} を変更`,
  or: 'または',
  backToSignIn: 'ログインに戻る',
  tryAgain: '再試行',

  signIn: {
    title: (project) => `${project} にログイン`,
    submit: 'ログイン',
    forgot: 'パスワードをお忘れですか？',
    byMail: 'リンクまたはコードをメールで受け取る',
    byMailLocked: (seconds) => `リンクまたはコードをメールで受け取る（${seconds} 秒）`,
    enterSentCode: '届いたコードを入力',
    noAccount: 'アカウントをお持ちでない場合',
    signUp: 'アカウントを作成',
    closed: '新しいアカウントは招待制です。',
    nothingOn: 'まだ誰もログインできません',
    nothingOnHint: 'このプロジェクトでは、ログイン方法が 1 つも有効になっていません。プロジェクトの管理者が認証設定で変更できます。',
    stay: 'ログインしたままにする',
    keptAccounts: 'アカウントを選択',
    ask: 'アカウントの入手方法',
    sendConfirmation: '確認メールを再送信',
    settingsFailed: 'このプロジェクトが応答しません',
  },

  signUp: {
    title: (project) => `${project} のアカウントを作成`,
    passwordTitle: 'パスワードを決める',
    submit: 'アカウントを作成',
    haveAccount: 'すでにアカウントをお持ちの場合',
    signIn: 'ログイン',
    closedTitle: '新しいアカウントは受け付けていません',
    closedHint: 'このアプリの管理者からの招待が必要です。アカウントをお持ちの場合は、ログインしてください。',
  },

  forgot: {
    title: 'パスワードをお忘れですか？',
    lead: 'アカウントのメールアドレスを入力してください。新しいパスワードを設定するためのリンクとコードをメールで送ります。',
    submit: 'メールを送信',
    submitLocked: (seconds) => `メールを送信（${seconds} 秒）`,
  },

  checkMail: {
    title: 'メールを確認してください',
    leadSignUp: 'お送りしたメールのリンクを開いてアドレスを確認するか、メールのコードをここに入力してください。',
    leadSignIn: 'お送りしたメールのリンクを開くか、メールのコードをここに入力してください。',
    leadRecovery: 'このアドレスのアカウントがある場合は、メールをお送りしています。リンクを開くか、メールのコードをここに入力してください。',
    code: 'メールのコード',
    codeHint: 'メールにコードがない場合は、リンクを開いてください。',
    codeMissing: 'メールのコードを入力してください。',
    codeWrong: 'コードが違うか、期限が切れています。数字を確認するか、メールを再送信してください。',
    codeWrongSignUp: 'コードが違うか、期限が切れています。メールのリンクを開いた場合、アドレスは確認済みです。ログインしてください。',
    submit: '確認',
    notThere: 'メールが届かない場合は、迷惑メールフォルダをご確認ください。',
    maybeKnown: 'このアドレスのアカウントがすでにある場合、メールは届きません。',
    signInInstead: 'ログインする',
    sendAgain: '再送信',
    sendAgainIn: (seconds) => `${seconds} 秒後に再送信できます`,
    sentAgain: '新しいメールを送信しました。以前のメールのリンクとコードは使えません。',
  },

  /** Why there is no session any more, said on the sign-in page. */
  reasons: {
    'signed-out-here': { title: 'ログアウトしました', whatToDo: '' },
    'signed-out-elsewhere': { title: '別のタブまたはウィンドウでログアウトしました', whatToDo: 'ログインすると、元の場所から続けられます。' },
    expired: { title: 'セッションが終了しました', whatToDo: 'ログインすると、元の場所から続けられます。保存していない内容はこのタブに残っています。' },
    revoked: { title: '別のデバイスからログアウトされました', whatToDo: 'ログインすると、元の場所から続けられます。保存していない内容はこのタブに残っています。' },
    banned: { title: 'このアカウントはブロックされています', whatToDo: '理由はこのアプリの管理者にお問い合わせください。' },
    deleted: { title: 'このアカウントは存在しません', whatToDo: '別のアカウントでログインするか、アカウントを作成してください。' },
    'damaged-cookies': { title: 'このブラウザのログイン情報が壊れていました', whatToDo: 'Cookie が途切れたか混ざったため、削除しました。もう一度ログインしてください。アカウントには問題ありません。' },
    'cookies-lost': { title: 'このブラウザからログアウトされました', whatToDo: 'Cookie が削除されたか、別のアプリによってログアウトされました。ログインすると、元の場所から続けられます。' },
    'project-changed': { title: 'このログイン情報はプロジェクトで使えなくなりました', whatToDo: 'プロジェクトのキーまたはデータが変わりました。もう一度ログインしてください。' },
  },

  cookiesBlocked: {
    title: 'このブラウザは Cookie をブロックしています',
    lead: 'ログインには、セッションを保持する Cookie が必要です。このサイトの Cookie を許可して、ページを再読み込みしてください。',
    reload: 'ページを再読み込み',
  },
}
