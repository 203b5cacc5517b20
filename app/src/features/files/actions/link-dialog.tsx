import { useState } from 'react'
import { unwrap } from '#api/unwrap.ts'
import { FilesFailure } from '#features/files/files-failure.tsx'
import type { FileEntry } from '#features/files/names/entry.ts'
import { wirePath } from '#features/files/names/object-name.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './actions.module.css'
import type { TaskParts } from './task-dialog.tsx'

const hour = 3600
const lifetimes = [hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour, 365 * 24 * hour] as const

type Link = { step: 'none' } | { step: 'making' } | { step: 'made'; url: string; until: Date } | { step: 'failed'; error: unknown }

/** Makes a link that anyone can open for a while; in a public bucket also the one that always works. */
export function LinkDialog({ shared, entry, onClose }: TaskParts & { entry: FileEntry }) {
  const { files: words, ui } = useMessages()
  const { source, bucket } = shared
  const api = source.client.storage.from(bucket.id)
  return (
    <Dialog open onClose={onClose} title={words.linkTitle(entry.name)} footer={<Button onClick={onClose}>{ui.close}</Button>}>
      <div className={css.form}>
        {bucket.isPublic && (
          <>
            <LinkLine label={words.publicLink} url={api.getPublicUrl(entry.path).data.publicUrl.replaceAll('?', '%3F')} />
            <p className={css.note}>{words.publicLinkHint}</p>
          </>
        )}
        <SignedLink make={async (lifetimeSeconds) => (await unwrap(api.createSignedUrl(wirePath(entry.path), lifetimeSeconds))).signedUrl} />
      </div>
    </Dialog>
  )
}

function SignedLink({ make }: { make: (lifetimeSeconds: number) => Promise<string> }) {
  const { files: words } = useMessages()
  const format = useFormat()
  const [lifetime, setLifetime] = useState<number>(lifetimes[1])
  const [link, setLink] = useState<Link>({ step: 'none' })

  const create = async () => {
    setLink({ step: 'making' })
    try {
      setLink({ step: 'made', url: await make(lifetime), until: new Date(Date.now() + lifetime * 1000) })
    } catch (error) {
      setLink({ step: 'failed', error })
    }
  }
  return (
    <>
      <div className={css.lifetime}>
        <Select
          label={words.lifetime}
          value={lifetime}
          onChange={(event) => {
            setLifetime(Number(event.target.value))
            // A link of another lifetime is another link.
            setLink({ step: 'none' })
          }}
        >
          {lifetimes.map((seconds) => <option key={seconds} value={seconds}>{words.lifetimes[seconds]}</option>)}
        </Select>
        <Button variant="primary" icon="link" pending={link.step === 'making'} onClick={() => void create()}>{words.createLink}</Button>
      </div>
      {link.step === 'made' && (
        <>
          <LinkLine label={words.signedLink} url={link.url} />
          <p className={css.note} role="status">{words.signedLinkHint(format.dateTime(link.until))}</p>
        </>
      )}
      {link.step === 'failed' && <FilesFailure error={link.error} onRetry={() => void create()} layout="line" />}
    </>
  )
}

function LinkLine({ label, url }: { label: string; url: string }) {
  return (
    <div className={css.link}>
      <TextField label={label} value={url} readOnly onFocus={(event) => event.target.select()} spellCheck={false} />
      <CopyButton value={url} />
    </div>
  )
}
