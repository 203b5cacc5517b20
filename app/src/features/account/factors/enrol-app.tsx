import { useCallback, useEffect, useRef, useState } from 'react'
import type { Client } from '#api/client.ts'
import { explain } from '#api/explain.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useClient } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Failure } from '#ui/failure.tsx'
import { Link } from '#ui/link.tsx'
import { Skeleton, SkeletonShape } from '#ui/skeleton.tsx'
import { useSave } from '#features/account/use-save.ts'
import { CodeForm } from './code-form.tsx'
import type { EnrolFormProps } from './enrol.tsx'
import { clearUnfinished, freeName } from './factor-list.ts'
import css from './factors.module.css'

interface NewApp {
  factorId: string
  /** An image address. */
  picture: string
  secret: string
  uri: string
}

/** The server sends a drawing: shown as an image, where nothing in it can run. Encoded, since a bare `#` would end the address. */
function pictureAddress(qrCode: string): string {
  const svg = qrCode.slice(Math.max(0, qrCode.indexOf('<svg')))
  return qrCode.includes('<svg') ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` : qrCode
}

async function enrolApp(client: Client, wantedName: string): Promise<NewApp> {
  const taken = await clearUnfinished(client, 'totp')
  const { id, totp } = await unwrap(client.auth.mfa.enroll({ factorType: 'totp', friendlyName: freeName(wantedName, taken) }))
  return { factorId: id, picture: pictureAddress(totp.qr_code), secret: totp.secret, uri: totp.uri }
}

/** Begins at the first draw; `again` begins anew. What was begun before is cleared away by the next beginning. */
function useNewApp() {
  const client = useClient()
  const { kinds } = useMessages().factors
  const [app, setApp] = useState<NewApp>()
  const begun = useRef(false)
  const begin = useSave(async () => setApp(await enrolApp(client, kinds.totp)))
  const { run } = begin
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void run()
  }, [run])
  const again = useCallback(async () => {
    setApp(undefined)
    await run()
  }, [run])
  return { app, begin, again }
}

/** The picture and key for an authenticator app; the first code proves that it has them. */
export function EnrolApp({ size, onEnrolled }: EnrolFormProps) {
  const { factors, errors } = useMessages()
  const { enrol: words } = factors
  const { app, begin, again } = useNewApp()
  const [isRenewed, setRenewed] = useState(false)
  if (begin.state.step === 'failed') {
    const { title, whatToDo, technical } = explain(begin.state.error, errors)
    return (
      <Failure layout="line" title={title} technical={technical} onRetry={() => void begin.run()}>
        {whatToDo}
      </Failure>
    )
  }
  if (!app) {
    return (
      <Skeleton label={words.preparing}>
        <SkeletonShape width={180} height={180} />
        <SkeletonShape width="100%" height={32} />
      </Skeleton>
    )
  }
  const renew = () => {
    setRenewed(true)
    void again()
  }
  return (
    <div className={css.stack}>
      {isRenewed && <Banner tone="warning">{words.expired}</Banner>}
      <AppKey app={app} />
      <FirstCode key={app.factorId} factorId={app.factorId} size={size} onEnrolled={onEnrolled} onExpired={renew} />
    </div>
  )
}

function AppKey({ app }: { app: NewApp }) {
  const { enrol: words } = useMessages().factors
  return (
    <>
      <p>{words.scan}</p>
      <div className={css.picture}>
        <img src={app.picture} alt={words.qr} width={180} height={180} />
      </div>
      <div className={css.byHand}>
        <p className={css.quiet}>{words.noScan}</p>
        <div className={css.key}>
          <code dir="ltr">{app.secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton value={app.secret} label={words.copyKey} compact />
        </div>
        <Link href={app.uri}>{words.openApp}</Link>
      </div>
    </>
  )
}

interface FirstCodeProps extends EnrolFormProps {
  factorId: string
  /** The server has given up waiting for the first code. */
  onExpired: () => void
}

function FirstCode({ factorId, size, onEnrolled, onExpired }: FirstCodeProps) {
  const { enrol: words } = useMessages().factors
  const { auth } = useClient()
  const verify = async (code: string) => {
    try {
      await unwrap(auth.mfa.challengeAndVerify({ factorId, code }))
    } catch (failure) {
      if (toAppError(failure).code === 'mfa_factor_not_found') return onExpired()
      throw failure
    }
    await onEnrolled()
  }
  return <CodeForm label={words.code} hint={words.codeHint} wrongText={words.codeWrong} name="totp" size={size} verify={verify} />
}
