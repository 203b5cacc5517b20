import type { LiveMessages } from '#messages/en/live.ts'
import { list, plural } from './forms.ts'

const live: LiveMessages['live'] = {
  newRows: (count) => plural(count, { other: '新しい行が # 件' }),
  newRowsHint: '表示する',
  rowsChanged: '行が変更されました',
  rowsChangedHint: '並べ直す',
  stateLive: 'リアルタイム',
  stateLiveHint: 'ほかの人の変更がすぐに表示されます。',
  stateJoining: 'リアルタイム更新に接続中',
  stateLost: 'リアルタイム更新が中断しています',
  stateLostHint: 'リアルタイム更新の接続が切れています。自動で再接続し、その間の変更を読み込みます。',
  stateOff: 'リアルタイム更新なし',
  stateOffHint: 'このテーブルの変更は配信されません。ほかの人の変更を見るには更新してください。',
  someone: 'だれか',
  here: (names) => `ほかの閲覧者：${list(names)}`,
  hereMore: (count) => `+${count}`,
  isEditing: (name) => `${name} が編集中`,
  areEditing: (names) => `${list(names)} が編集中`,
  isLooking: (name) => `${name} が閲覧中`,
  areLooking: (names) => `${list(names)} が閲覧中`,
  deletedTitle: 'このレコードはたった今削除されました',
  deletedHint: '表示されているのは削除前の内容です。もう保存できないため、必要な内容はコピーしてください。',
}

export const liveMessages: LiveMessages = { live }
