import { useState } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { Menu } from '#ui/menu.tsx'
import { useToast } from '#ui/toaster.tsx'
import { curlOf, supabaseCodeOf } from './as-code.ts'
import { useExamples } from './examples.ts'
import { ManageExamples } from './manage-examples.tsx'
import type { CallRequest } from './request.ts'
import { SaveExample } from './save-example.tsx'

export interface FunctionActionsProps {
  name: string
  request: CallRequest
  fileName: string | undefined
  onUse: (request: CallRequest) => void
}

/** Examples, and the call as something to paste. */
export function FunctionActions({ name, request, fileName, onUse }: FunctionActionsProps) {
  const { functions: words } = useMessages()
  const project = useProject()
  const toast = useToast()
  const examples = useExamples(name)
  const [open, setOpen] = useState<'save' | 'manage'>()
  const close = () => setOpen(undefined)
  const copy = (text: string) => void navigator.clipboard.writeText(text).then(() => toast({ text: words.copied, tone: 'success' }), () => toast({ text: words.notCopied, tone: 'danger' }))
  return (
    <>
      <Menu
        label={words.examples.title}
        placement="bottom end"
        trigger={<Button icon="star" iconAfter="chevron-down">{words.examples.title}</Button>}
        groups={[
          { items: examples.list.map((example) => ({ id: example.id, label: example.name, onSelect: () => onUse(example.request) })) },
          {
            items: [
              { id: 'save', label: words.examples.save, icon: 'save', onSelect: () => setOpen('save') },
              { id: 'manage', label: words.examples.manage, icon: 'list', disabled: examples.list.length === 0, onSelect: () => setOpen('manage') },
            ],
          },
        ]}
      />
      <Menu
        label={words.copyAs}
        placement="bottom end"
        trigger={<Button icon="copy" iconAfter="chevron-down">{words.copy}</Button>}
        groups={[
          {
            items: [
              { id: 'curl', label: words.asCurl, description: words.copyHint, onSelect: () => copy(curlOf({ projectUrl: project.url, name, request, fileName })) },
              { id: 'code', label: words.asCode, description: words.copyHint, onSelect: () => copy(supabaseCodeOf({ name, request, fileName })) },
            ],
          },
        ]}
      />
      {open === 'save' && <SaveExample request={request} examples={examples} onClose={close} />}
      {open === 'manage' && <ManageExamples examples={examples} onClose={close} onUse={(example) => (onUse(example.request), close())} />}
    </>
  )
}
