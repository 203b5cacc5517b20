import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState, type Ref } from 'react'
import { Section } from '#features/account/account-frame.tsx'
import css from '#features/account/account.module.css'
import { initialsOf, pictureOf } from '#features/account/person.ts'
import { useAccountSource, type AccountSource } from '#features/account/queries.ts'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useSave } from '#features/account/use-save.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { useConnection, useUser } from '#session/session.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import photoCss from './photo.module.css'
import { clearPhoto, findPhotoBucket, hasOwnPhoto, savePhoto } from './photo-store.ts'

const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }))

/** What a camera makes fits; what is uploaded is cut to 512 pixels anyway. */
const maxBytes = 20_000_000

const bucketQuery = ({ connection, scope }: AccountSource) =>
  queryOptions({ queryKey: [...scope, 'photo-bucket'] as const, staleTime: Infinity, queryFn: () => findPhotoBucket(connection, scope[1]) })

/** The person's picture; absent where the project keeps none and there is none to remove. */
export function PhotoSection() {
  const { photo: words } = useMessages().account
  const user = useUser()
  const { data: hasBucket } = useQuery(bucketQuery(useAccountSource()))
  if (!hasBucket && pictureOf(user) === '') return null
  return (
    <Section heading={words.heading} lead={words.lead}>
      <Photo mayUpload={hasBucket === true} />
    </Section>
  )
}

function Photo({ mayUpload }: { mayUpload: boolean }) {
  const { account } = useMessages()
  const words = account.photo
  const format = useFormat()
  const connection = useConnection()
  const user = useUser()
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap>()
  const [fault, setFault] = useState('')
  const [said, setSaid] = useState('')
  const removal = useSave(async () => {
    await clearPhoto(connection, user)
    setSaid(words.removed)
  })
  const begin = () => {
    setSaid('')
    setFault('')
    removal.reset()
  }
  const open = async (file: File | undefined) => {
    begin()
    if (!file) return
    if (file.size > maxBytes) return setFault(words.tooLarge(format.bytes(maxBytes)))
    try {
      setPicture(await createImageBitmap(file))
    } catch {
      setFault(words.unreadable)
    }
  }
  const shown = pictureOf(user)
  return (
    <>
      <div className={photoCss.photo}>
        <Avatar name={initialsOf(user, account.guest)} src={shown || undefined} size={64} />
        <div className={photoCss.side}>
          <div className={css.actions}>
            {mayUpload && (
              <Button icon="upload" onClick={() => input.current?.click()}>
                {shown === '' ? words.upload : words.change}
              </Button>
            )}
            {shown !== '' && (
              <Button pending={removal.state.step === 'saving'} onClick={() => (begin(), void removal.run())}>
                {words.remove}
              </Button>
            )}
          </div>
          {mayUpload && <p className={css.note}>{words.hint(format.bytes(maxBytes))}</p>}
          {shown !== '' && !hasOwnPhoto(user, connection.project) && <p className={css.note}>{words.elsewhere}</p>}
        </div>
      </div>
      <FileInput ref={input} label={words.upload} onChoose={(file) => void open(file)} />
      {fault && <Banner tone="danger">{fault}</Banner>}
      {said && <Banner tone="success">{said}</Banner>}
      <SaveOutcome state={removal.state} />
      <Suspense>{picture && <CropDialog picture={picture} onSave={(photo) => savePhoto(connection, user, photo).then(() => (setPicture(undefined), setSaid(words.saved)))} onClose={() => setPicture(undefined)} />}</Suspense>
    </>
  )
}

function FileInput({ ref, label, onChoose }: { ref: Ref<HTMLInputElement>; label: string; onChoose: (file: File | undefined) => void }) {
  return (
    <input
      ref={ref}
      type="file"
      accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
      aria-label={label}
      hidden
      onChange={(event) => {
        onChoose(event.target.files?.[0])
        // The same file may be chosen again.
        event.target.value = ''
      }}
    />
  )
}
