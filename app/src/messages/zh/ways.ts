import type { ways as English } from '#messages/en/ways.ts'

export const ways: typeof English = {
  passkey: '使用通行密钥登录',
  passkeyUnused: '未使用通行密钥。请重试，或选择其他方式。',
  passkeyElsewhere: '通行密钥无法在应用的此地址使用。请选择其他方式。',
  with: (provider) => `使用 ${provider} 继续`,
  lastUsed: '上次使用',
  loadFailed: '无法加载其他登录方式。',

  phone: {
    way: '使用手机继续',
    title: '使用手机登录',
    lead: '我们会向该号码发送验证码。运营商可能会收取短信费用。',
    country: '国家/地区',
    number: '电话号码',
    missing: '请输入电话号码。',
    malformed: '电话号码不完整。请按拨号方式输入，或以 + 和国家/地区代码开头。',
    sendTo: (number) => `验证码将发送到 ${number}。`,
    submit: '发送验证码',
    submitLocked: (seconds) => `发送验证码（${seconds} 秒）`,
    whatsApp: '通过 WhatsApp 发送',
    unknown: '没有使用此号码的账号。',
    unknownHint: '请核对号码，或选择其他方式。',
    codeTitle: '请查看手机',
    codeLead: '请输入短信中的验证码。',
    change: (number) => `更改号码 ${number}`,
    code: '短信中的验证码',
    codeHint: '可能需要一分钟才能送达。',
    codeMissing: '请输入短信中的验证码。',
    codeWrong: '验证码错误或已过期。请核对数字，或发送新的验证码。',
    notThere: '没有收到短信？',
    sentAgain: '新的验证码正在发送途中。之前的验证码已失效。',
  },

  sso: {
    way: '使用组织账号继续',
    title: '使用组织账号登录',
    lead: '请输入工作邮箱地址。我们会跳转到所属组织的登录页面。',
    email: '工作邮箱地址',
    submit: '继续',
    unknown: (domain) => `此处没有使用 ${domain} 的组织`,
    unknownHint: '请核对地址，或选择其他登录方式。',
  },

  wallet: {
    with: (wallet) => `使用 ${wallet} 继续`,
    ethereum: 'Ethereum 钱包',
    solana: 'Solana 钱包',
    statement: (project) => `登录 ${project}。不产生任何费用，也不会转移任何资产。`,
    refused: '钱包未签名',
    refusedHint: '没有任何更改。请打开钱包，选择账户，然后重试。',
  },

  guest: {
    way: '以访客身份浏览',
    hint: '在保存账号之前，所有操作都保留在此浏览器中。',
  },

  signUp: {
    missing: (label) => `请填写“${label}”。`,
    malformedNumber: '请输入数字。',
    malformedUrl: '请输入完整的地址，例如 https://example.com。',
    choose: '请选择',
    agree: {
      two: (one, other) => ['我同意', one, '和', other, '。'],
      one: (page) => ['我同意', page, '。'],
      none: '我同意此应用的条款。',
    },
    goOn: {
      two: (one, other) => ['继续即表示同意', one, '和', other, '。'],
      one: (page) => ['继续即表示同意', page, '。'],
      none: '继续即表示同意此应用的条款。',
    },
    terms: '使用条款',
    privacy: '隐私政策',
    agreeMissing: '创建账号需要表示同意。',
    contact: '申请账号',
  },

  password: {
    atLeast: (count) => `至少 ${count} 个字符`,
    classes: { letters: '一个字母', lower: '一个小写字母', upper: '一个大写字母', digits: '一个数字', symbols: '一个符号' },
    met: '已满足',
    notMet: '尚未满足',
    strength: '强度',
    strengths: ['很弱', '弱', '一般', '强', '很强'],
  },

  keep: {
    notice: '当前以访客身份使用。退出登录或清除浏览器数据会丢失所做的内容。',
    way: '保存账号',
    title: '保存账号',
    lead: '只需电子邮件地址和密码，即可保留以访客身份所做的内容。',
    submit: '保存账号',
    takenTitle: '此地址已有账号',
    takenHint: '如需保留以访客身份所做的内容，请使用其他地址。也可以登录该账号：之后将无法再访问以访客身份所做的内容。',
    signInInstead: '放弃所做的内容并登录',
    codeTitle: '确认地址',
    codeLead: '请输入邮件中的验证码，或在此浏览器中打开其中的链接。',
    later: '以后再说',
  },
}
