import type { onward as English } from '#messages/en/onward.ts'

export const onward: typeof English = {
  going: '元のアプリに戻ります',
  goingLead: (host) => `自動で移動しない場合は、${host} に進んでください。`,
  goOn: '進む',
  refusedTitle: 'ログインしましたが、元のアプリには戻りませんでした',
  refusedLead: '戻り先のアドレスは、このアプリで許可されていません。信頼できるアドレスであれば、ご自身で戻ってください。そのアプリの管理者にもお知らせください。',
  refusedHost: (host) => `戻り先のアドレス：${host}`,
  home: 'トップページへ',
}
