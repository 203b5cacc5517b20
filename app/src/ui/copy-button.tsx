import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { useUi } from './ui-provider.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface CopyButtonProps {
  /** What goes to the clipboard. */
  value: string
  /** What it copies, read out: "Copy request id". Without it the button says "Copy". */
  label?: string | undefined
  /** A drawing alone; the default is a button with words. */
  compact?: boolean | undefined
}

/** Copies a text and says so in place. */
export function CopyButton({ value, label, compact }: CopyButtonProps) {
  const { words } = useUi()
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = () => void writeClipboard(value).then(setCopied)
  const name = label ?? words.copy
  return (
    <>
      {compact ? (
        <IconButton size="small" icon={copied ? 'check' : 'copy'} label={name} onClick={copy} />
      ) : (
        <Button icon={copied ? 'check' : 'copy'} onClick={copy}>
          {copied ? words.copied : name}
        </Button>
      )}
      <span role="status">{copied && <VisuallyHidden>{words.copied}</VisuallyHidden>}</span>
    </>
  )
}

/** Answers whether it worked; pages served without https have no clipboard of their own, so a selection stands in. */
async function writeClipboard(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = value
    area.style.position = 'fixed'
    area.style.opacity = '0'
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}
