import { useMessages } from '#messages/messages.tsx'
import { Link } from '#ui/link.tsx'
import { usePart } from '#messages/use-part.ts'
import css from './guest-line.module.css'

const nothingMore = () => Promise.resolve(true)

/** A line above every screen inside, for those who have no account yet. */
export function GuestLine() {
  const isThere = usePart(nothingMore, 'ways')
  const { ways } = useMessages()
  if (!isThere) return null
  return (
    <section className={css.line} aria-label={ways.keep.way}>
      <span>{ways.keep.notice}</span> <Link href="/save-account">{ways.keep.way}</Link>
    </section>
  )
}
