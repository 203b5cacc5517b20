import { useState } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useToast } from '#ui/toaster.tsx'
import type { Example, Examples } from './examples.ts'
import css from './request.module.css'

/** Every example of a function: use it, give it another name, delete it. */
export function ManageExamples({ examples, onUse, onClose }: { examples: Examples; onUse: (example: Example) => void; onClose: () => void }) {
  const { functions: { examples: words } } = useMessages()
  const toast = useToast()
  const remove = (example: Example) => {
    examples.remove(example.id)
    toast({ text: words.removed(example.name), action: { label: words.undo, onPress: () => void examples.save(example.name, example.request) } })
  }
  return (
    <Dialog open onClose={onClose} title={words.manageTitle} footer={<Button variant="primary" onClick={onClose}>{words.done}</Button>}>
      {examples.list.length === 0 && <p className={css.muted}>{words.none}</p>}
      <ul className={css.examples}>
        {examples.list.map((example) => (
          <li key={example.id} className={css.example}>
            <Named example={example} onRename={(name) => examples.rename(example.id, name)} />
            <Button onClick={() => onUse(example)}>{words.use}</Button>
            <IconButton icon="trash" label={words.remove(example.name)} onClick={() => remove(example)} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Named({ example, onRename }: { example: Example; onRename: (name: string) => boolean }) {
  const { functions: { examples: words } } = useMessages()
  const [name, setName] = useState(example.name)
  const [fault, setFault] = useState<string>()
  // An empty name is none: the old one comes back.
  const rename = () => {
    const given = name.trim()
    if (given === '' || given === example.name) return setName(example.name)
    if (!onRename(given)) setFault(words.full)
  }
  return (
    <TextField label={words.rename(example.name)} labelHidden error={fault} value={name} onChange={(event) => setName(event.target.value)} onBlur={rename} onKeyDown={(event) => event.key === 'Enter' && rename()} maxLength={80} autoComplete="off" />
  )
}
