import { Fragment, type ReactNode } from 'react'
import type { SignUpField } from '#door.ts'
import { useMessages } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Link } from '#ui/link.tsx'
import { Select } from '#ui/select.tsx'
import { TextField } from '#ui/text-field.tsx'
import { useOperatorText } from './brand-text.ts'
import { useDoor } from './door-ways.ts'
import type { SignUpFields } from './use-sign-up-fields.ts'

/** The operator's own questions, in their order. */
export function OperatorFields({ form }: { form: SignUpFields }) {
  return form.fields.map((field) => <OperatorField key={field.key} field={field} form={form} />)
}

function OperatorField({ field, form }: { field: SignUpField; form: SignUpFields }) {
  const { ways } = useMessages()
  const text = useOperatorText()
  const { key, kind, required, choices } = field
  const label = text(field.label)
  const answer = form.answers[key]
  const error = form.faults[key]
  const shared = { label, name: `field-${key}`, error, required }
  if (kind === 'switch') return <Checkbox {...shared} ref={form.place(key)} checked={answer === true} onChange={(event) => form.set(key, event.target.checked)} />
  const value = typeof answer === 'string' ? answer : ''
  if (kind === 'choice') {
    return (
      <Select {...shared} ref={form.place(key)} size="door" optional={!required} value={value} onChange={(event) => form.set(key, event.target.value)}>
        <option value="">{ways.signUp.choose}</option>
        {choices?.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </Select>
    )
  }
  const input = { text: {}, number: { inputMode: 'decimal' as const }, date: { type: 'date' }, url: { type: 'url', inputMode: 'url' as const } }[kind]
  return <TextField {...shared} {...input} ref={form.place(key)} size="door" optional={!required} maxLength={500} value={value} onChange={(event) => form.set(key, event.target.value)} />
}

/** The box for terms and privacy, with the brand's own links. */
export function Agreement({ form }: { form: SignUpFields }) {
  const { ways } = useMessages()
  const { signUp } = useDoor()
  const label = useAgreement('agree')
  return signUp.agree && <Checkbox ref={form.place('')} name="agreement" label={label} checked={form.agreed} error={form.agreeFault && ways.signUp.agreeMissing} required onChange={(event) => form.agree(event.target.checked)} />
}

/** Said below the ways that ask nothing more: going on is agreeing. */
export function AgreementByGoingOn({ className }: { className: string | undefined }) {
  const { signUp } = useDoor()
  const text = useAgreement('goOn')
  return signUp.agree && <p className={className}>{text}</p>
}

/** A sentence with the terms' and the privacy policy's names turned into links. */
function useAgreement(kind: 'agree' | 'goOn'): ReactNode {
  const { ways } = useMessages()
  const { brand } = useProject()
  const { terms, privacy } = brand?.links ?? {}
  const words = ways.signUp[kind]
  const pages = [terms && { name: ways.signUp.terms, href: terms }, privacy && { name: ways.signUp.privacy, href: privacy }].filter((page) => !!page)
  const [first, second] = pages
  if (!first) return words.none
  const parts = second ? words.two(first.name, second.name) : words.one(first.name)
  return parts.map((part, index) => {
    const page = pages.find(({ name }) => name === part)
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one sentence stay in their order
    return <Fragment key={index}>{page ? <PageLink href={page.href}>{part}</PageLink> : part}</Fragment>
  })
}

/** Opens beside the form: what was typed stays. */
const PageLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href.startsWith('/') ? new URL(href, location.origin).href : href}>{children}</Link>
)
