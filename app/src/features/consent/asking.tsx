import { useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import type { ConsentRequest } from '#api/consent.ts'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { useProject, useUser } from '#session/session.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import { Icon } from '#ui/icon.tsx'
import { shownName, shownPicture } from '#session/app-name.ts'
import css from './consent.module.css'
import { readDestination, type Destination } from './return-address.ts'
import type { Decision } from './use-consent.ts'

interface AskingProps {
  request: ConsentRequest
  deciding: Decision | null
  error: AppError | null
  onDecide: (decision: Decision) => void
}

/** Who asks, for what, as whom, and where it leads; then yes or no. */
export function Asking(props: AskingProps) {
  const [isSwitching, setSwitching] = useState(false)
  return isSwitching ? <Switching {...props} onStay={() => setSwitching(false)} /> : <Question {...props} onSwitch={() => setSwitching(true)} />
}

function Question({ request, deciding, error, onDecide, onSwitch }: AskingProps & { onSwitch: () => void }) {
  const { consent: words } = useMessages()
  const { name: project } = useProject()
  const { app, place, destination } = readApp(request)
  return (
    <DoorLayout brand={project} title={<Who app={app} picture={shownPicture(request.app.logo)} />}>
      <DocumentTitle>{words.documentTitle}</DocumentTitle>
      <DoorStack>
        <dl className={css.facts}>
          <div className={css.fact}>
            <dt>{words.asWhom}</dt>
            <dd>
              <bdi className={css.value}>{useAccount()}</bdi>
              <button type="button" className={css.change} onClick={onSwitch}>
                {words.another}
              </button>
            </dd>
          </div>
          <div className={css.fact}>
            <dt>{words.place}</dt>
            <dd>
              <bdi className={css.value} dir="ltr">
                {place}
              </bdi>
              {destination && <span className={css.hint}>{words.placeHint[destination.kind]}</span>}
            </dd>
          </div>
        </dl>
        <Scopes scopes={request.scopes} />
        <Refusal error={error} />
        <div className={css.answers}>
          <Button variant="primary" size="door" wide pending={deciding === 'allow'} onClick={() => onDecide('allow')}>
            {words.allow}
          </Button>
          <Button size="door" wide pending={deciding === 'deny'} onClick={() => onDecide('deny')}>
            {words.deny}
          </Button>
        </div>
        <p className={css.fine}>{words.takeBack}</p>
      </DoorStack>
    </DoorLayout>
  )
}

/** A request stays with who opened it first: another account means to start again at the application. */
function Switching({ request, deciding, error, onDecide, onStay }: AskingProps & { onStay: () => void }) {
  const { consent: words } = useMessages()
  const { name: project } = useProject()
  const account = useAccount()
  return (
    <DoorLayout brand={project} title={words.switchTitle} lead={words.switchLead(readApp(request).app, account)}>
      <DocumentTitle>{words.switchTitle}</DocumentTitle>
      <DoorStack>
        <Refusal error={error} />
        <Button variant="primary" size="door" wide pending={deciding === 'switch'} onClick={() => onDecide('switch')}>
          {words.switchGo}
        </Button>
        <Button size="door" wide onClick={onStay}>
          {words.switchStay(account)}
        </Button>
      </DoorStack>
    </DoorLayout>
  )
}

function readApp({ redirectUri, app }: ConsentRequest): { app: string; place: string; destination: Destination | undefined } {
  const destination = readDestination(redirectUri)
  const place = placeOf(destination)
  return { app: shownName(app.name) || place, place, destination }
}

const placeOf = (destination: Destination | undefined): string =>
  destination === undefined ? '' : destination.kind === 'app' ? destination.scheme : destination.host

/** The person as they know themselves. */
function useAccount(): string {
  const { consent: words } = useMessages()
  const user = useUser()
  return user.email || (user.phone ? `+${user.phone.replace(/^\+/, '')}` : '') || words.guest
}

function Who({ app, picture }: { app: string; picture: string | undefined }) {
  const { consent: words } = useMessages()
  const { name: project } = useProject()
  return (
    <span className={css.who}>
      <Avatar name={app} src={picture} size={40} shape="square" />
      <bdi>{words.title(app, project)}</bdi>
    </span>
  )
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  const { consent: words } = useMessages()
  const { name: project } = useProject()
  const said = scopes.map((scope) => (Object.hasOwn(words.scopes, scope) ? words.scopes[scope] : scope))
  // The token is a whole session at the data API, whatever the scopes: that is said too.
  return (
    <div>
      <h2 className={css.may}>{words.may}</h2>
      <ul className={css.scopes}>
        {[...said, words.actForYou(project)].map((line) => (
          <li key={line}>
            <Icon name="check" size={16} className={css.mark} />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Refusal({ error }: { error: AppError | null }) {
  const { errors } = useMessages()
  if (!error) return null
  const { title, whatToDo, technical } = explain(error, errors)
  return (
    <Banner tone="danger" title={title}>
      {whatToDo}
      {technical !== '' && <TechnicalDetails text={technical} />}
    </Banner>
  )
}
