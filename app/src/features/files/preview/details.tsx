import type { ReactNode } from 'react'
import type { KnownBucket } from '#features/files/list/bucket-query.ts'
import { folderOf } from '#features/files/names/object-name.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DateTime } from '#ui/date-time.tsx'
import css from './preview.module.css'
import type { FileInfo } from './preview-query.ts'

/** What is known of a file, in words and figures. */
export function Details({ bucket, file }: { bucket: KnownBucket; file: FileInfo }) {
  const { files: words } = useMessages()
  const format = useFormat()
  const folder = folderOf(file.path)
  return (
    <section className={css.details}>
      <h3 className={css.label}>{words.details}</h3>
      <dl>
        <Fact name={words.size}>{format.bytes(file.sizeBytes)}{file.sizeBytes >= 1000 && <span className={css.exact}> {words.exactBytes(format.number(file.sizeBytes))}</span>}</Fact>
        <Fact name={words.type}>{file.type || words.unknown}</Fact>
        <Fact name={words.folder}>{folder === '' ? bucket.id : `${bucket.id}/${folder}`}</Fact>
        {file.updatedAt !== '' && <Fact name={words.modified}><DateTime value={file.updatedAt} /></Fact>}
        {file.createdAt !== '' && <Fact name={words.created}><DateTime value={file.createdAt} /></Fact>}
        {file.cacheControl !== '' && <Fact name={words.cache}>{cacheWords(file.cacheControl, words.cachedFor, words.notCached)}</Fact>}
        {file.etag !== '' && <Fact name={words.fingerprint}><code className={css.mono}>{file.etag.replaceAll('"', '')}</code></Fact>}
        <Fact name={words.path}><span className={css.copied}><code className={css.mono}>{file.path}</code><CopyButton value={file.path} label={words.copyPath} compact /></span></Fact>
      </dl>
      {Object.keys(file.metadata).length > 0 && (
        <>
          <h3 className={css.label}>{words.metadata}</h3>
          <dl>
            {Object.entries(file.metadata).map(([key, value]) => <Fact key={key} name={key}>{typeof value === 'string' ? value : <code className={css.mono}>{JSON.stringify(value)}</code>}</Fact>)}
          </dl>
        </>
      )}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** `max-age=3600` in words; anything less plain as the server writes it. */
function cacheWords(header: string, cachedFor: (seconds: number) => string, never: string): string {
  const seconds = /^(?:public, ?)?max-age=(\d+)$/.exec(header)?.[1]
  if (seconds !== undefined) return cachedFor(Number(seconds))
  return header === 'no-cache' || header === 'no-store' ? never : header
}
