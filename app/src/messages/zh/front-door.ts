import type { frontDoor as English } from '#messages/en/front-door.ts'

export const frontDoor: typeof English = {
  // The fields every page shares
  email: '电子邮件地址',
  emailMissing: '请输入电子邮件地址。',
  emailMalformed: '电子邮件地址不完整。正确的格式如 ada@example.com。',
  password: '密码',
  passwordMissing: '请输入密码。',
  newPassword: '新密码',
  newPasswordMissing: '请设置密码。',
  newPasswordHint: '长比复杂更好：三四个容易记住的词即可。',
  continue: '继续',
  change: '更改',
  changeEmail: (email) => `更改地址 ${email}`,
  or: '或',
  backToSignIn: '返回登录',
  tryAgain: '重试',

  signIn: {
    title: (project) => `登录 ${project}`,
    submit: '登录',
    forgot: '忘记密码？',
    byMail: '通过邮件获取链接或验证码',
    byMailLocked: (seconds) => `通过邮件获取链接或验证码（${seconds} 秒）`,
    enterSentCode: '输入收到的验证码',
    noAccount: '还没有账号？',
    signUp: '注册',
    closed: '新账号仅限受邀者。',
    nothingOn: '目前还无法在此登录',
    nothingOnHint: '此项目没有启用任何登录方式。项目管理员可以在身份验证设置中更改。',
    stay: '保持登录状态',
    keptAccounts: '选择账号',
    ask: '如何获取账号',
    sendConfirmation: '发送新的确认邮件',
    settingsFailed: '此项目没有响应',
  },

  signUp: {
    title: (project) => `创建 ${project} 账号`,
    passwordTitle: '设置密码',
    submit: '创建账号',
    haveAccount: '已有账号？',
    signIn: '登录',
    closedTitle: '暂不开放注册',
    closedHint: '需要此应用的管理员发出邀请。如果已有账号，请直接登录。',
  },

  forgot: {
    title: '忘记密码？',
    lead: '请输入账号的电子邮件地址。我们会发送用于设置新密码的链接和验证码。',
    submit: '发送邮件',
    submitLocked: (seconds) => `发送邮件（${seconds} 秒）`,
  },

  checkMail: {
    title: '请查收邮件',
    leadSignUp: '请打开邮件中的链接确认地址，或在此输入邮件中的验证码。',
    leadSignIn: '请打开邮件中的链接，或在此输入邮件中的验证码。',
    leadRecovery: '如果存在使用此地址的账号，我们已发送邮件。请打开其中的链接，或在此输入邮件中的验证码。',
    code: '邮件中的验证码',
    codeHint: '邮件中没有验证码？请打开其中的链接。',
    codeMissing: '请输入邮件中的验证码。',
    codeWrong: '验证码错误或已过期。请核对数字，或发送新邮件。',
    codeWrongSignUp: '验证码错误或已过期。如果已打开邮件中的链接，则地址已确认：请登录。',
    submit: '确认',
    notThere: '没有收到邮件？请查看垃圾邮件文件夹。',
    maybeKnown: '如果此地址已有账号，则不会收到邮件：',
    signInInstead: '改为登录',
    sendAgain: '重新发送',
    sendAgainIn: (seconds) => `${seconds} 秒后可重新发送`,
    sentAgain: '已发送新邮件。之前邮件中的链接和验证码已失效。',
  },

  /** Why there is no session any more, said on the sign-in page. */
  reasons: {
    'signed-out-here': { title: '已退出登录', whatToDo: '' },
    'signed-out-elsewhere': { title: '已在另一个标签页或窗口中退出登录', whatToDo: '请登录以从上次的位置继续。' },
    expired: { title: '会话已结束', whatToDo: '请登录以从上次的位置继续。未保存的内容保留在此标签页中。' },
    revoked: { title: '已在另一台设备上退出登录', whatToDo: '请登录以从上次的位置继续。未保存的内容保留在此标签页中。' },
    banned: { title: '此账号已被封禁', whatToDo: '请向此应用的管理员询问原因。' },
    deleted: { title: '此账号已不存在', whatToDo: '请使用其他账号登录，或注册新账号。' },
    'damaged-cookies': { title: '此浏览器中的登录信息已损坏', whatToDo: '某个 Cookie 被截断或混淆，因此已移除。请重新登录；账号本身没有问题。' },
    'cookies-lost': { title: '已在此浏览器中退出登录', whatToDo: 'Cookie 已被清除，或其他应用执行了退出登录。请登录以从上次的位置继续。' },
    'project-changed': { title: '项目不再接受此登录', whatToDo: '项目的密钥或数据已更改。请重新登录。' },
  },

  cookiesBlocked: {
    title: '此浏览器阻止了 Cookie',
    lead: '登录需要用 Cookie 保存会话。请允许此网站使用 Cookie，然后重新加载页面。',
    reload: '重新加载页面',
  },
}
