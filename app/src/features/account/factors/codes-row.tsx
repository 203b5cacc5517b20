import { useCallback, useEffect, useState } from 'react'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { useClient, useProject, useUser } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Icon } from '#ui/icon.tsx'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useSave } from '#features/account/use-save.ts'
import { LeaveCodes } from './enrol-dialog.tsx'
import { hasRecoveryCodes } from './factor-list.ts'
import css from './factors.module.css'
import { demandCodes, readCodesStatus, renewCodes, withoutSet, type CodesStatus } from './recovery-codes.ts'
import { RecoveryCodes } from './recovery-codes-view.tsx'
import { useRefreshPerson } from './use-factors.ts'
import { useRefreshLists } from './use-refresh-lists.ts'

/** How many codes are left, asked only of those who have a set; without one there is nothing to ask about. */
function useCodesStatus() {
  const client = useClient()
  const hasSet = hasRecoveryCodes(useUser())
  const { id: projectId } = useProject()
  const [status, setStatus] = useState<CodesStatus | undefined>(hasSet ? undefined : withoutSet(projectId))
  const read = useCallback(() => readCodesStatus(client).then(setStatus, () => setStatus(undefined)), [client])
  useEffect(() => {
    if (hasSet) void read()
  }, [hasSet, read])
  return { status, read }
}

/** How many recovery codes are left, and new ones. Not there where the project has none to give. */
export function CodesRow() {
  const { codes: words } = useMessages().factors
  const { status, read } = useCodesStatus()
  const [shown, setShown] = useState<readonly string[]>()
  if (!status || status.kind === 'not-offered') return null
  return (
    <li className={css.item}>
      <Icon name="lock" className={css.icon} />
      <div className={css.about}>
        <p className={css.name}>{words.heading}</p>
        <p className={css.quiet}>
          {status.kind === 'none' ? words.none : words.left(status.remaining, status.total)}
          {status.kind === 'some' && status.remaining <= 3 && ` · ${words.fewHint}`}
        </p>
      </div>
      <Change isFirst={status.kind === 'none'} onCodes={setShown} />
      {shown && (
        <CodesDialog
          codes={shown}
          onDone={() => {
            setShown(undefined)
            void read()
          }}
        />
      )}
    </li>
  )
}

/** The first set is made at once; a new one voids the old, so it is asked about. */
function Change({ isFirst, onCodes }: { isFirst: boolean; onCodes: (codes: readonly string[]) => void }) {
  const { factors, errors } = useMessages()
  const { codes: words } = factors
  const client = useClient()
  const { id: projectId } = useProject()
  const refresh = useRefreshPerson()
  const refreshLists = useRefreshLists()
  const stepUp = useStepUp()
  const [asking, setAsking] = useState(false)
  const make = useSave(async () => {
    const codes = await (isFirst ? demandCodes(client, projectId) : renewCodes(client))
    onCodes(codes)
    setAsking(false)
    await refresh().catch(() => undefined)
    refreshLists()
  })
  const failed = make.state.step === 'failed' ? explain(make.state.error, errors) : null
  const begin = async () => {
    if (!(await stepUp('factors'))) return
    if (isFirst) await make.run()
    else setAsking(true)
  }
  return (
    <>
      <div className={css.stack}>
        <Button variant={isFirst ? 'secondary' : 'quiet'} pending={make.state.step === 'saving'} onClick={() => void begin()}>
          {isFirst ? words.create : words.renew}
        </Button>
        {!asking && <SaveOutcome state={make.state} />}
      </div>
      <ConfirmDialog
        open={asking}
        tone="primary"
        title={words.renewTitle}
        confirmLabel={words.renew}
        error={failed && errors.sentences(failed.title, failed.whatToDo)}
        onConfirm={() => make.run()}
        onClose={() => {
          make.reset()
          setAsking(false)
        }}
      >
        {words.renewBody}
      </ConfirmDialog>
    </>
  )
}

function CodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { codes: words } = useMessages().factors
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Dialog open onClose={() => setAsking(true)} title={words.heading} size="small">
        <RecoveryCodes codes={codes} size="inside" onDone={onDone} />
      </Dialog>
      <LeaveCodes open={asking} onStay={() => setAsking(false)} onLeave={onDone} />
    </>
  )
}
