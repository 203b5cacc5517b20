import type { ChangeMessage } from './change-feed.ts'
import { encodePush } from './frames/encode.ts'
import type { Version } from './frames/message.ts'

/** What decides how a change looks on the wire besides the change. */
export interface ChangeView {
  version: Version
  /** With its prefix. */
  topic: string
  ids: readonly number[]
  isOldApi: boolean
}

/** Makes the function that encodes changes: once for all who see the same under the same name. */
export function createChangeEncoder(): (change: ChangeMessage, view: ChangeView) => Buffer {
  const made = new WeakMap<ChangeMessage, Map<string, Buffer>>()
  return (change, { version, topic, ids, isOldApi }) => {
    const frames = made.get(change) ?? new Map<string, Buffer>()
    made.set(change, frames)
    const key = `${version} ${isOldApi ? '' : ids.join()} ${topic}`
    const known = frames.get(key)
    if (known) return known
    const frame = isOldApi
      ? encodePush(version, { joinRef: null, topic, event: change.type, json: change.json })
      : encodePush(version, { joinRef: null, topic, event: 'postgres_changes', json: `{"ids":[${ids.join()}],"data":${change.json}}` })
    frames.set(key, frame)
    return frame
  }
}
