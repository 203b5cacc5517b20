import { useQuery } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { filesPath } from '#features/files/address.ts'
import { FilesFailure } from '#features/files/files-failure.tsx'
import { useFileSource } from '#features/files/source.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { Icon } from '#ui/icon.tsx'
import { Link } from '#ui/link.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './bucket-list.module.css'
import { bucketsQuery, isAbsent, useNamedBuckets, type KnownBucket } from './bucket-query.ts'

/** `/files`: the buckets one may see, and the way to those the project does not list. */
export function BucketList() {
  const { files: words } = useMessages()
  return (
    <div className={css.page}>
      <DocumentTitle>{words.title}</DocumentTitle>
      <header className={css.head}>
        <h1 className={css.title} tabIndex={-1}>{words.title}</h1>
        <p className={css.lead}>{words.lead}</p>
      </header>
      <Buckets />
    </div>
  )
}

function Buckets() {
  const { files: words } = useMessages()
  const buckets = useQuery(bucketsQuery(useFileSource()))
  const { named, add, remove } = useNamedBuckets()

  if (buckets.isPending) return <Skeleton label={words.loadingBuckets} lines={4} />
  if (buckets.isError && isAbsent(buckets.error)) return <FilesFailure error={buckets.error} />
  // Whoever may not list buckets may still know the name of one.
  const listed = buckets.data ?? []
  const own = named.filter((name) => !listed.some(({ id }) => id === name))
  return (
    <>
      {buckets.isError && <FilesFailure error={buckets.error} onRetry={() => void buckets.refetch()} retrying={buckets.isFetching} layout="line" />}
      {listed.length > 0 && (
        <ul className={css.list}>
          {listed.map((bucket) => <BucketLine key={bucket.id} bucket={bucket} />)}
        </ul>
      )}
      {own.length > 0 && (
        <section className={css.section}>
          <h2 className={css.label}>{words.openedByName}</h2>
          <ul className={css.list}>
            {own.map((name) => (
              <li key={name} className={css.named}>
                <Link href={filesPath(name)} variant="plain" className={css.line}>
                  <Icon name="database" className={css.icon} />
                  <span className={css.name}>{name}</span>
                </Link>
                <IconButton icon="close" size="small" label={words.forgetBucket(name)} onClick={() => remove(name)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <OpenByName isOnly={buckets.isSuccess && listed.length === 0} onOpen={(name) => {
        add(name)
        navigate(filesPath(name))
      }} />
    </>
  )
}

function BucketLine({ bucket }: { bucket: KnownBucket }) {
  const { files: words } = useMessages()
  const format = useFormat()
  const limits = [
    bucket.sizeLimitBytes === null ? undefined : words.upTo(format.bytes(bucket.sizeLimitBytes)),
    bucket.allowedTypes && bucket.allowedTypes.length > 0 ? bucket.allowedTypes.join(', ') : undefined,
  ].filter((part) => part !== undefined)
  return (
    <li>
      <Link href={filesPath(bucket.id)} variant="plain" className={css.line}>
        <Icon name="database" className={css.icon} />
        <span className={css.name}>{bucket.id}</span>
        <span className={css.limits} title={limits.join(' · ')}>{limits.join(' · ')}</span>
        {bucket.isPublic && <Chip tone="info">{words.publicBucket}</Chip>}
      </Link>
    </li>
  )
}

/** Projects often let nobody list buckets while files inside may be seen: whoever knows the name goes there. */
function OpenByName({ isOnly, onOpen }: { isOnly: boolean; onOpen: (name: string) => void }) {
  const { files: words } = useMessages()
  const [name, setName] = useState('')
  const heading = useId()
  const open = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onOpen(name.trim())
  }
  return (
    <section className={css.section} aria-labelledby={heading}>
      <h2 id={heading} className={isOnly ? css.only : css.label}>{isOnly ? words.noBuckets : words.anotherBucket}</h2>
      {isOnly && <p className={css.lead}>{words.noBucketsHint}</p>}
      <form className={css.open} onSubmit={open}>
        <TextField label={words.bucketName} labelHidden={!isOnly} placeholder={words.bucketName} value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" spellCheck={false} maxLength={100} />
        <Button type="submit" disabled={name.trim() === ''}>{words.openBucket}</Button>
      </form>
    </section>
  )
}
