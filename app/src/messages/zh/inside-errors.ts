import type { insideErrors as English } from '#messages/en/inside-errors.ts'

const tryAgain = '请重试。如果问题仍然存在，请告知此应用的管理员。'
const tellTheOwner = '只有此应用的管理员可以更改。请将下方的代码告知管理员。'
const signInAgain = '请重新登录。未保存的内容保留在此标签页中。'
const waitAMinute = '请稍候一分钟，然后重试。'
const askForAccess = '如有需要，请向此应用的管理员申请权限。'
const checkTheValue = '请更正该值并重新保存。'
const reload = '请重新加载页面：项目已更改。'

export const insideErrors: typeof English = {
  '22001': { title: '文本太长', whatToDo: checkTheValue },
  '22003': { title: '数字太大或太小', whatToDo: checkTheValue },
  '22007': { title: '日期或时间无效', whatToDo: checkTheValue },
  '22008': { title: '日期或时间超出范围', whatToDo: checkTheValue },
  '22P02': { title: '值与字段不匹配', whatToDo: checkTheValue },
  '23502': { title: '必填字段为空', whatToDo: '请填写并重新保存。' },
  '23001': { title: '其他记录仍指向此记录', whatToDo: '请先更改或移除关联的记录。' },
  '23503': { title: '有其他记录依赖此记录，或其指向的记录已不存在', whatToDo: '请先更改或移除关联的记录。' },
  '23505': { title: '已有使用此值的记录', whatToDo: '请使用其他值。' },
  '23514': { title: '值不符合此表的规则', whatToDo: checkTheValue },
  '23P01': { title: '与另一条记录重叠', whatToDo: '请选择其他范围。' },
  '25006': { title: '此处无法进行更改', whatToDo: askForAccess },
  '40001': { title: '有人同时更改了此内容', whatToDo: '请重试。' },
  '40P01': { title: '有人同时更改了此内容', whatToDo: '请重试。' },
  '42501': { title: '没有权限执行此操作', whatToDo: askForAccess },
  '42703': { title: '某一列已不存在', whatToDo: reload },
  '42883': { title: '某个函数已不存在', whatToDo: reload },
  '42P01': { title: '此表已不存在', whatToDo: reload },
  '42P17': { title: '此表的策略存在循环引用', whatToDo: tellTheOwner },
  '428C9': { title: '此值由计算得出，无法设置', whatToDo: '请保持该字段不变。' },
  '53300': { title: '数据库繁忙', whatToDo: waitAMinute },
  '53400': { title: '数据库繁忙', whatToDo: waitAMinute },
  '55P03': { title: '有人正在更改此内容', whatToDo: '请稍后重试。' },
  '57014': { title: '耗时过长，已停止', whatToDo: '请用筛选条件缩小范围，然后重试。' },
  PGRST000: { title: '无法连接到数据库', whatToDo: waitAMinute },
  PGRST001: { title: '无法连接到数据库', whatToDo: waitAMinute },
  PGRST002: { title: '数据库正在启动', whatToDo: '请稍后重试。' },
  PGRST003: { title: '数据库繁忙', whatToDo: waitAMinute },
  PGRST100: { title: '无法识别筛选条件或排序', whatToDo: '请更改或移除。' },
  PGRST102: { title: '服务器无法读取发送的内容', whatToDo: tryAgain },
  PGRST103: { title: '记录数少于请求的数量', whatToDo: '请返回开头。' },
  PGRST106: { title: '此 schema 未向应用开放', whatToDo: tellTheOwner },
  PGRST116: { title: '此记录不存在，或没有查看权限', whatToDo: '它可能已被删除。请返回列表。' },
  PGRST200: { title: '这些表之间已没有关联', whatToDo: reload },
  PGRST201: { title: '这些表之间存在多种关联', whatToDo: tellTheOwner },
  PGRST202: { title: '此函数已不存在', whatToDo: reload },
  PGRST203: { title: '存在多个同名函数', whatToDo: tellTheOwner },
  PGRST204: { title: '某一列已不存在', whatToDo: reload },
  PGRST205: { title: '此表已不存在', whatToDo: reload },
  PGRST300: { title: '服务器缺少签名密钥', whatToDo: tellTheOwner },
  PGRST301: { title: '服务器不接受此会话', whatToDo: signInAgain },
  PGRST302: { title: '此操作需要登录', whatToDo: '请登录，然后重试。' },
  PGRST303: { title: '会话已结束', whatToDo: signInAgain },
}
