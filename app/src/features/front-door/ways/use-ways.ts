import { AppError } from '#api/app-error.ts'
import type { Client } from '#api/client.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { useClient, useProject } from '#session/session.tsx'
import type { OtherWay } from '#features/front-door/door-ways.ts'
import { callbackAddress } from '#features/front-door/send-mail.ts'
import { useCaptcha } from '#features/front-door/use-captcha.ts'
import type { DoorStep } from '#features/front-door/use-step.ts'
import { askingAlone, noteWrongOrigin } from './use-passkey.ts'
import type { FoundWallet } from './use-wallets.ts'

type Provider = Parameters<Client['auth']['signInWithOAuth']>[0]['provider']
type Web3 = Parameters<Client['auth']['signInWithWeb3']>[0]

/** What each button does once it is pressed. */
export function useWays(door: DoorStep): (way: OtherWay, wallet?: FoundWallet) => Promise<unknown> {
  const { auth } = useClient()
  const project = useProject()
  const { pending, lastWay } = useDoorMemory()
  const { ways: words } = useMessages()
  const captcha = useCaptcha()
  const leaveFor = (way: string) => {
    lastWay.begin(way)
    pending.remember({ way: 'provider', email: '', to: door.to })
  }

  return async (way, wallet) => {
    switch (way.kind) {
      case 'phone':
      case 'sso':
        return door.go('/sign-in', way.kind, door.email)
      case 'provider':
        leaveFor(`provider:${way.id}`)
        return unwrap(auth.signInWithOAuth({ provider: way.id as Provider, options: { redirectTo: callbackAddress() } }))
      case 'passkey':
        lastWay.begin('passkey')
        return askingAlone(async () => {
          const { error } = await auth.signInWithPasskey({ options: await captcha() })
          if (!error) return
          const failure = toAppError(error)
          noteWrongOrigin(failure)
          throw failure
        })
      case 'guest':
        lastWay.begin('guest')
        return unwrap(auth.signInAnonymously({ options: await captcha() }))
      case 'wallet': {
        lastWay.begin(`wallet:${way.chain}`)
        // The address stands in what is signed; the project's list of allowed addresses names this one.
        const options = { ...(await captcha()), url: callbackAddress() }
        const request = { chain: way.chain, statement: words.wallet.statement(project.name), wallet: wallet?.provider, options } as Web3
        return unwrap(auth.signInWithWeb3(request).catch(refused))
      }
    }
  }
}

/** The wallet itself says no in ways of its own; what the server says comes as an answer, not as a failure. */
function refused(cause: unknown): never {
  throw new AppError('invalid', cause instanceof Error ? cause.message : String(cause), { code: 'wallet_refused', cause })
}
