import type { nudge as English } from '#messages/en/nudge.ts'

export const nudge: typeof English = {
  label: 'おすすめ',
  passkey: '次回からは顔、指紋、端末の PIN でログインできます。',
  addPasskey: 'パスキーを追加',
  passkeyAdded: 'パスキーを追加しました。次回のログイン時に選んでください。',
  secondStep: '2 段階認証を設定すると、パスワードを知られても他の人はログインできません。',
  addSecondStep: '2 段階認証を設定',
  later: '後で',
}
