import type { ChannelState } from '#api/channels.ts'
import { useMessages } from '#messages/messages.tsx'
import { classNames } from '#ui/class-names.ts'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import css from './live-screen.module.css'

/** A channel's state as a dot; its words are read out. */
export function StateMark({ state }: { state: ChannelState }) {
  const { channels: words } = useMessages()
  return (
    <span className={classNames(css.mark, css[state])} title={words.states[state]}>
      <VisuallyHidden>{words.states[state]}</VisuallyHidden>
    </span>
  )
}
