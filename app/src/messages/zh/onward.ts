import type { onward as English } from '#messages/en/onward.ts'

export const onward: typeof English = {
  going: '正在返回',
  goingLead: (host) => `如果没有反应，请自行前往 ${host}。`,
  goOn: '继续',
  refusedTitle: '已登录，但没有跳转回去',
  refusedLead: '来源地址不在此应用允许跳转的范围内。如果信任该地址，请自行返回，并告知其管理员。',
  refusedHost: (host) => `该地址位于 ${host}。`,
  home: '前往首页',
}
