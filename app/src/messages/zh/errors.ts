import type { errors as English } from '#messages/en/errors.ts'
import { list, sentences } from './forms.ts'

const tryAgain = '请重试。如果问题仍然存在，请告知此应用的管理员。'
const signInAgain = '请重新登录。未保存的内容保留在此标签页中。'
const newCode = '请核对数字，或发送新的验证码。'
const waitAMinute = '请稍候一分钟，然后重试。'
const askForAccess = '如有需要，请向此应用的管理员申请权限。'

const passwordFaults: Readonly<Record<string, string>> = {
  length: '长度太短',
  characters: '缺少必需的字符类型（小写字母、大写字母、数字、符号）',
  pwned: '曾出现在数据泄露中，容易被猜到',
}

export const errors: typeof English = {
  byCode: {
    invalid_credentials: { title: '电子邮件地址或密码不正确', whatToDo: '请核对两者，或设置新密码。' },
    email_not_confirmed: { title: '此地址尚未确认', whatToDo: '请打开邮件中的链接，或重新发送邮件。' },
    otp_expired: { title: '验证码或链接错误、已使用或已过期', whatToDo: newCode },
    over_request_rate_limit: { title: '尝试次数过多', whatToDo: '请稍候几分钟，然后重试。' },
  },
  byKind: {
    'signed-out': { title: '此操作需要登录', whatToDo: signInAgain },
    forbidden: { title: '没有权限执行此操作', whatToDo: askForAccess },
    missing: { title: '内容不存在，或没有查看权限', whatToDo: '它可能已被删除或移动。' },
    conflict: { title: '与已有内容冲突', whatToDo: '请重新加载以查看最新内容，然后重试。' },
    invalid: { title: '服务器无法接受输入的内容', whatToDo: '请检查后重试。' },
    busy: { title: '服务器繁忙', whatToDo: waitAMinute },
    offline: { title: '无法连接到服务器', whatToDo: '请检查网络连接，然后重试。已输入的内容不会丢失。' },
    broken: { title: '服务器出错', whatToDo: tryAgain },
  },
  sentences,
  weakPassword: (reasons) => ({
    title: '此密码太容易被猜到',
    whatToDo: reasons.length > 0 ? `请换一个密码：${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}。` : '请使用更长的密码。',
  }),
  waitSeconds: (seconds) => ({
    title: '现在还不能再次发送',
    whatToDo: `${seconds} 秒后可再次发送。`,
  }),
  ownWords: '这是此项目设定的规则。',
}
