import type { ownData as English } from '#messages/en/own-data.ts'
import { plural } from './forms.ts'

export const ownData: typeof English = {
  export: {
    heading: '导出数据',
    lead: '一个 JSON 文件，包含此账号保存的内容：可自行留存，或带到其他地方。',
    account: '其中包含个人资料、登录方式、会话、活动和关联应用。',
    tables: '以及属于此账号的行',
    table: (name, column) => `${name}，其中 ${column} 为此账号`,
    start: '导出',
    stop: '停止',
    working: (what) => `正在读取 ${what}`,
    workingAccount: '账号',
    rows: (count) => plural(count, { other: '目前 # 行' }),
    done: (size) => `文件已保存（${size}）。`,
    partly: (names) => `部分内容无法读取：${names}。文件中也有说明。其余内容已保存。`,
    again: '再次保存文件',
    cut: (name, count) => plural(count, { other: `${name} 超过 # 行；其余未包含` }),
  },

  remove: {
    heading: '删除账号',
    lead: '永久删除：任何人都无法恢复。',
    start: '删除账号',
    title: '要删除账号吗？',
    goes: '将立即删除：',
    goesAccount: '账号及其所有登录方式',
    goesSessions: '所有设备上的全部会话',
    goesPhoto: '照片',
    goesRows: (table) => `${table} 中属于此账号的行`,
    stays: '将保留：',
    staysRows: (table) => `${table} 中的行，但不再标明归属`,
    staysFiles: '已上传的文件',
    blocks: '只要其中还有属于此账号的行，以下各表可能会阻止删除：',
    confirmLabel: (what) => `输入 ${what} 以确认`,
    confirmWord: '删除',
    mismatch: (what) => `与 ${what} 不一致。`,
    submit: '永久删除账号',
    failed: '账号仍然存在',
    inUse: '需要先处理属于此账号的行',
    inUseIn: (table) => `请删除 ${table} 中属于此账号的行或转给他人，然后重试。`,
    inUseSomewhere: '请联系此应用的管理员：其中保存着不能失去所属账号的内容。',
  },

  goodbye: {
    title: '账号已删除',
    lead: (project) => `已在所有设备上退出 ${project}。感谢您的使用。`,
    note: '其他设备最多可能需要一小时才会生效。',
    again: '前往登录页面',
  },
}
