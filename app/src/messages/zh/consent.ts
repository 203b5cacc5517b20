import type { consent as English } from '#messages/en/consent.ts'

export const consent: typeof English = {
  title: (app, project) => `${app} 请求使用您的 ${project} 账号登录`,
  documentTitle: '允许访问',
  loading: '正在确认请求方',
  place: '将跳转至',
  placeHint: {
    web: '应用名称由其自行设定。仅在认识此地址时才继续。',
    device: '此电脑上的程序。仅在刚刚启动过它时才继续。',
    app: '此设备上的应用。仅在刚刚使用过它时才继续。',
  },

  asWhom: '账号',
  guest: '访客',
  another: '使用其他账号',

  may: '它将可以',
  scopes: {
    openid: '每次返回时识别身份',
    email: '查看电子邮件地址',
    phone: '查看电话号码',
    profile: '查看姓名、头像和个人资料中的其他内容',
    offline_access: '在离开后保持连接',
  },
  actForYou: (project) => `在 ${project} 中代为操作：查看和更改您在其中可以查看和更改的内容`,
  takeBack: '可以随时在账号的“关联应用”中撤销。',
  allow: '允许',
  deny: '不允许',

  switchTitle: '使用其他账号',
  switchLead: (app, email) => `此请求属于 ${email}。请在此退出登录，然后在 ${app} 中重新开始：届时会询问要使用哪个账号。`,
  switchGo: '退出登录并返回',
  switchStay: (email) => `继续使用 ${email}`,

  leavingTitle: '正在返回',
  leavingKnown: '之前已允许此应用访问。',
  leavingAllowed: '已允许。',
  leavingDenied: '未允许。',
  leavingLead: (place) => `如果没有反应，请自行前往 ${place}。`,
  leavingApp: '如果应用没有自动打开，请在此处打开。之后可以关闭此页面。',
  goOn: '继续',
  openApp: '打开应用',

  failures: {
    missing: { title: '此处没有请求', lead: '应用会打开此页面来请求访问。请返回应用，从那里开始。' },
    gone: {
      title: '此请求已失效',
      lead: '请求的有效期为十分钟，且属于最先打开它的账号。请返回应用重新开始。',
    },
    expired: { title: '等待时间过长', lead: '请求的有效期为十分钟。没有允许任何访问。请返回应用重新开始。' },
    answered: { title: '此请求已得到答复', lead: '每个请求只能答复一次。如果应用仍在等待，请返回应用重新开始。' },
    origin: {
      title: '此页面不能代表项目答复',
      lead: '项目不认识此地址。请告知项目管理员将其添加到允许的重定向地址中。',
    },
    off: { title: '应用无法在此请求访问', lead: '此项目不允许其他应用代为登录。请告知跳转来源应用的管理员。' },
    unsafe: { title: '没有继续跳转', lead: '该应用指定的答复地址打开后可能不安全。请告知其管理员。' },
  },
  backTo: (host) => `返回 ${host}`,
  home: '前往首页',
  signedInAs: (email) => `当前已以 ${email} 的身份登录。`,
  otherProject: '该应用可能属于其他项目。',
  chooseProject: '选择项目',
}
