import type { accounts as English } from '#messages/en/accounts.ts'

export const accounts: typeof English = {
  title: '选择账号',
  lead: '以下账号在此浏览器中保持登录。',
  now: '正在使用',
  guest: '访客',
  end: (name) => `退出 ${name}`,
  another: '使用其他账号',
  notKept: '您选择了不保持登录：切换到其他账号后，此账号将在这里退出登录。',
  endedTitle: (name) => `${name} 在此处已退出登录`,
  endedHint: '会话已结束或已过期，请重新登录。',
  signInAgain: '重新登录',
}
