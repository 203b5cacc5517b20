import { useCallback, useEffect, useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import { explain } from '#api/explain.ts'
import { toAppError } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { takesPasskeys } from '#session/passkey-place.ts'
import { useClient, useUser } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Failure } from '#ui/failure.tsx'
import { Section } from '#features/account/account-frame.tsx'
import css from '#features/account/factors/factors.module.css'
import { useRefreshLists } from '#features/account/factors/use-refresh-lists.ts'
import { WithFactorWords } from '#features/account/factors/with-factor-words.tsx'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useSave } from '#features/account/use-save.ts'
import { PasskeyItem } from './passkey-item.tsx'
import { addPasskey, readPasskeys, type Passkey } from './passkeys.ts'

type Passkeys = { step: 'reading' } | { step: 'not-offered' } | { step: 'failed'; error: AppError } | { step: 'ready'; passkeys: readonly Passkey[] }

function usePasskeys(): { state: Passkeys; read: () => Promise<void> } {
  const client = useClient()
  const [state, setState] = useState<Passkeys>({ step: 'reading' })
  const read = useCallback(
    () =>
      readPasskeys(client).then(
        (passkeys) => setState(passkeys ? { step: 'ready', passkeys } : { step: 'not-offered' }),
        (failure: unknown) => setState({ step: 'failed', error: toAppError(failure) }),
      ),
    [client],
  )
  useEffect(() => void read(), [read])
  return { state, read }
}

/** The person's passkeys; not there where the project has none switched on. */
export function PasskeysSection() {
  const user = useUser()
  const { state, read } = usePasskeys()
  const refreshLists = useRefreshLists()
  const readAll = async () => {
    refreshLists()
    await read()
  }
  // Guests and an organisation's people may have none.
  const isManaged = user.is_anonymous === true || String(user.app_metadata['provider'] ?? '').startsWith('sso:')
  if (isManaged || state.step === 'reading' || state.step === 'not-offered') return null
  return (
    <WithFactorWords>
      <Shown state={state} read={readAll} />
    </WithFactorWords>
  )
}

function Shown({ state, read }: { state: Extract<Passkeys, { step: 'failed' | 'ready' }>; read: () => Promise<void> }) {
  const { factors, errors } = useMessages()
  const { passkeys: words } = factors
  const failed = state.step === 'failed' ? explain(state.error, errors) : null
  return (
    <Section heading={words.heading} lead={words.lead}>
      {failed && (
        <Failure layout="line" title={words.failed} technical={failed.technical} onRetry={() => void read()}>
          {errors.sentences(failed.title, failed.whatToDo)}
        </Failure>
      )}
      {state.step === 'ready' && <List passkeys={state.passkeys} read={read} />}
    </Section>
  )
}

function List({ passkeys, read }: { passkeys: readonly Passkey[]; read: () => Promise<void> }) {
  const { passkeys: words } = useMessages().factors
  const client = useClient()
  const stepUp = useStepUp()
  const [said, say] = useState('')
  const add = useSave(async () => {
    await addPasskey(client)
    say(words.added)
    await read()
  })
  const begin = async () => {
    say('')
    add.reset()
    if (await stepUp('passkeys')) await add.run()
  }
  return (
    <>
      {said !== '' && <Banner tone="success">{said}</Banner>}
      {passkeys.length === 0 ? (
        <p className={css.quiet}>{words.none}</p>
      ) : (
        <ul className={css.list}>
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              onChanged={read}
              onRemoved={(name) => {
                say(words.removed(name))
                return read()
              }}
            />
          ))}
        </ul>
      )}
      <SaveOutcome state={add.state} />
      {takesPasskeys() ? (
        <div className={css.row}>
          <Button icon="key" pending={add.state.step === 'saving'} onClick={() => void begin()}>
            {words.add}
          </Button>
        </div>
      ) : (
        <p className={css.quiet}>{words.unsupported}</p>
      )}
    </>
  )
}
