import type { ReactNode } from 'react'
import { FilesFailure } from '#features/files/files-failure.tsx'
import { useMessages } from '#messages/messages.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Skeleton, SkeletonShape } from '#ui/skeleton.tsx'
import type { BucketView } from './bucket-screen.tsx'
import css from './bucket-screen.module.css'

/** What stands in the place of rows: they are on their way, could not be read, or there are none. */
export function insteadOfEntries(shared: BucketView, mayUpload: boolean): ReactNode {
  const { list } = shared
  if (list.state.step === 'loading') return <Waiting />
  if (list.state.step === 'failed') return <FilesFailure error={list.state.error} onRetry={list.retry} retrying={list.isBusy} />
  if (list.entries.length > 0 || list.hasMore) return undefined
  return <NothingHere shared={shared} mayUpload={mayUpload} />
}

const widths = ['42%', '28%', '36%', '51%', '33%', '24%', '45%', '30%']

function Waiting() {
  const { files: words } = useMessages()
  return (
    <div className={css.waiting}>
      <Skeleton label={words.loading}>
        {widths.map((width) => <SkeletonShape key={width} width={width} height={10} />)}
      </Skeleton>
    </div>
  )
}

/** An empty place says why it may be empty, and what to do. */
function NothingHere({ shared: { address, bucket, list, see }, mayUpload }: { shared: BucketView; mayUpload: boolean }) {
  const { files: words } = useMessages()
  if (address.search !== '') {
    return (
      <EmptyState icon="search" title={words.nothingFound(address.search)} action={<Button onClick={() => see({ search: '' })}>{words.clearSearch}</Button>}>
        {list.findsAnywhere ? words.nothingFoundHint : words.nothingBegins}
      </EmptyState>
    )
  }
  if (!bucket.isListed && address.folder === '') {
    return (
      <EmptyState icon="folder" title={words.nothingSeen} action={<ButtonLink href="/files">{words.allBuckets}</ButtonLink>}>
        {words.nothingSeenHint}
      </EmptyState>
    )
  }
  return <EmptyState icon="folder" title={words.emptyTitle}>{mayUpload ? words.emptyHint : words.emptyReadOnly}</EmptyState>
}
