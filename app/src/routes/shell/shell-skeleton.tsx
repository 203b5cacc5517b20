import { useMessages } from '#messages/messages.tsx'
import { Skeleton, SkeletonShape } from '#ui/skeleton.tsx'
import css from './shell.module.css'
import sidebar from './sidebar.module.css'

/** The frame while the session is being read: everything stands where it will stand. */
export function ShellSkeleton() {
  const { ui } = useMessages()
  return (
    <div className={css.frame}>
      <aside className={css.sidebar} aria-hidden>
        <div className={sidebar.sidebar}>
          <div className={sidebar.top}>
            <Line round={false} />
            <div className={sidebar.search} />
          </div>
          <div className={sidebar.navigation} />
          <div className={sidebar.foot}>
            <Line round />
          </div>
        </div>
      </aside>
      <div className={css.main}>
        <main className={css.content} aria-busy>
          <h1 className={css.waiting}>{ui.loading}</h1>
        </main>
      </div>
      <div className={css.waitingBar} />
    </div>
  )
}

/** A switch of the sidebar, unnamed yet. */
function Line({ round }: { round: boolean }) {
  const { ui } = useMessages()
  return (
    <div className={sidebar.switch}>
      <Skeleton label={ui.loading}>
        <span className={css.waitingLine}>
          <SkeletonShape width={24} height={24} round={round} />
          <SkeletonShape width="55%" height={10} />
        </span>
      </Skeleton>
    </div>
  )
}
