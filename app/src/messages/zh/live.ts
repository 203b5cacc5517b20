import type { LiveMessages } from '#messages/en/live.ts'
import { list, plural } from './forms.ts'

const live: LiveMessages['live'] = {
  newRows: (count) => plural(count, { other: '# 个新行' }),
  newRowsHint: '显示',
  rowsChanged: '行已更改',
  rowsChangedHint: '重新排序',
  stateLive: '实时',
  stateLiveHint: '他人的更改会实时显示在此处。',
  stateJoining: '正在建立实时连接',
  stateLost: '暂时没有实时更新',
  stateLostHint: '实时连接已中断。它会自动恢复，届时会读取错过的内容。',
  stateOff: '没有实时更新',
  stateOffHint: '项目不发送此表的更改。请刷新以查看他人的更改。',
  someone: '有人',
  here: (names) => `同时在此：${list(names)}`,
  hereMore: (count) => `+${count}`,
  isEditing: (name) => `${name} 正在编辑`,
  areEditing: (names) => `${list(names)} 正在编辑`,
  isLooking: (name) => `${name} 正在查看`,
  areLooking: (names) => `${list(names)} 正在查看`,
  deletedTitle: '有人刚刚删除了此记录',
  deletedHint: '这里显示的是它原来的内容。无法再保存到此记录；请复制仍需要的内容。',
}

export const liveMessages: LiveMessages = { live }
