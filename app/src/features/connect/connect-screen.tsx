import { useRef, type FormEvent } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useProjects } from '#projects/projects.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import { Link } from '#ui/link.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useConnectForm, type ConnectForm } from './connect-form.ts'

/** Asks for a project's URL and public key, and proves them before anything is kept. */
export function ConnectScreen({ onConnected }: { onConnected: () => void }) {
  const { connect, errors, ui } = useMessages()
  const { current } = useProjects()
  const form = useConnectForm(onConnected)
  const element = useRef<HTMLFormElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (form.state.step === 'proving') return
    await form.submit()
    element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }
  return (
    <DoorLayout brand={ui.productName} title={connect.title} lead={errors.sentences(connect.lead, connect.whereToFind)} below={current && <Link href="/">{connect.back}</Link>}>
      <DocumentTitle>{connect.title}</DocumentTitle>
      <form ref={element} onSubmit={(event) => void submit(event)} noValidate>
        <DoorStack>
          {form.prefilledHost && (
            <Banner tone="warning" role="none">
              {connect.prefilled(form.prefilledHost)}
            </Banner>
          )}
          <Fields form={form} />
          <ProofFailure form={form} />
          <Button type="submit" variant="primary" size="door" wide pending={form.state.step === 'proving'}>
            {connect.submit}
          </Button>
        </DoorStack>
      </form>
    </DoorLayout>
  )
}

function Fields({ form }: { form: ConnectForm }) {
  const { connect, errors } = useMessages()
  const { urlFault, keyFault } = form.state.step === 'asking' ? form.state : {}
  const said = (code: keyof typeof connect.faults | undefined) => code && errors.sentences(connect.faults[code].title, connect.faults[code].whatToDo)
  return (
    <>
      <TextField
        label={connect.url}
        hint={useUnderstood(form) ?? connect.urlHint}
        error={said(urlFault)}
        size="door"
        name="url"
        type="url"
        inputMode="url"
        autoCapitalize="none"
        autoCorrect="off"
        autoComplete="url"
        spellCheck={false}
        autoFocus={form.url === ''}
        value={form.url}
        onChange={(event) => form.setUrl(event.target.value)}
      />
      <TextField
        label={connect.key}
        hint={connect.keyHint}
        error={said(keyFault)}
        size="door"
        name="key"
        autoCapitalize="none"
        autoCorrect="off"
        autoComplete="off"
        spellCheck={false}
        value={form.key}
        onChange={(event) => form.setKey(event.target.value)}
      />
    </>
  )
}

function useUnderstood({ understood }: ConnectForm): string | undefined {
  const { connect } = useMessages()
  switch (understood?.from) {
    case 'dashboard':
      return connect.fromDashboard(understood.url)
    case 'studio':
      return connect.fromStudio(understood.url)
    case 'reference':
      return connect.fromReference(understood.url)
    default:
      return undefined
  }
}

function ProofFailure({ form: { state } }: { form: ConnectForm }) {
  const { connect } = useMessages()
  if (state.step !== 'asking' || !state.failure) return null
  const { title, whatToDo } = connect.faults[state.failure.fault]
  return (
    <Banner tone="danger" title={title}>
      <p>{whatToDo}</p>
      <TechnicalDetails text={state.failure.technical} />
    </Banner>
  )
}
