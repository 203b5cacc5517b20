import type { accounts as English } from '#messages/en/accounts.ts'

export const accounts: typeof English = {
  title: 'アカウントの選択',
  lead: '次のアカウントは、このブラウザでログインしたままになっています。',
  now: '使用中',
  guest: 'ゲスト',
  end: (name) => `${name} をログアウト`,
  another: '別のアカウントを使う',
  notKept: 'ログインしたままにしない設定のため、別のアカウントに切り替えると、このアカウントはここからログアウトされます。',
  endedTitle: (name) => `${name} はここではログアウトされています`,
  endedHint: 'セッションが終了したか、有効期限が切れています。もう一度ログインしてください。',
  signInAgain: 'もう一度ログイン',
}
