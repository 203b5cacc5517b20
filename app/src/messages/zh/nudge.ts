import type { nudge as English } from '#messages/en/nudge.ts'

export const nudge: typeof English = {
  label: '建议',
  passkey: '下次可用面容、指纹或设备 PIN 登录。',
  addPasskey: '添加通行密钥',
  passkeyAdded: '通行密钥已就绪。下次登录时即可选用。',
  secondStep: '启用第二步验证后，即使他人知道密码也无法登录。',
  addSecondStep: '设置第二步验证',
  later: '以后再说',
}
