import { Download } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useProject, useUser } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { addIcons } from '#ui/icon.tsx'
import css from './factors.module.css'
import { writeCode } from './recovery-codes.ts'

// Stands at the door too, where a second step is asked of everyone.
addIcons({ download: Download })

interface RecoveryCodesProps {
  codes: readonly string[]
  size: 'door' | 'inside'
  onDone: () => void
}

/** A new set of codes: shown this once, with the ways to keep them. */
export function RecoveryCodes({ codes, size, onDone }: RecoveryCodesProps) {
  const { codes: words } = useMessages().factors
  const [saved, setSaved] = useState(false)
  const [missing, setMissing] = useState(false)
  const text = useCodesText(codes)
  return (
    <div className={css.stack}>
      <Banner tone="success" title={words.title}>
        {words.lead}
      </Banner>
      <div className={css.sheet}>
        <p className={css.sheetTitle}>{text.title}</p>
        <ol className={css.codes} aria-label={words.list} dir="ltr">
          {codes.map((code) => (
            <li key={code}>
              <code>{writeCode(code)}</code>
            </li>
          ))}
        </ol>
      </div>
      <div className={css.keeping}>
        <CopyButton value={codes.map(writeCode).join('\n')} />
        <Button icon="download" onClick={() => download(text.fileName, text.whole)}>
          {words.download}
        </Button>
        <Button onClick={() => print()}>{words.print}</Button>
      </div>
      <Checkbox
        label={words.saved}
        checked={saved}
        error={missing && words.savedMissing}
        onChange={(event) => {
          setSaved(event.target.checked)
          setMissing(false)
        }}
      />
      <Button variant="primary" size={size} wide={size === 'door'} onClick={() => (saved ? onDone() : setMissing(true))}>
        {words.done}
      </Button>
    </div>
  )
}

/** The codes as a file holds them. */
function useCodesText(codes: readonly string[]) {
  const { codes: words } = useMessages().factors
  const project = useProject()
  const { email, phone } = useUser()
  const title = words.fileTitle(project.name, email || phone || '')
  return {
    title,
    fileName: words.fileName(project.name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')),
    whole: [title, words.fileHint, '', ...codes.map(writeCode), ''].join('\r\n'),
  }
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
