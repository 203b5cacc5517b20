import type { Client } from '#api/client.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { useDoorMemory } from '#session/door-memory.ts'
import { useClient, useProject } from '#session/session.tsx'
import type { OtherWay } from '#features/front-door/door-ways.ts'
import { callbackAddress } from '#features/front-door/send-mail.ts'
import { useCaptcha } from '#features/front-door/use-captcha.ts'
import type { DoorStep } from '#features/front-door/use-step.ts'
import { nameOf } from './offered-ways.ts'
import { askingAlone, noteWrongOrigin } from './use-passkey.ts'
import { untilLeft } from './until-left.ts'
import type { FoundWallet } from './use-wallets.ts'
import { signInWithWallet } from './wallet-sign-in.ts'

type Provider = Parameters<Client['auth']['signInWithOAuth']>[0]['provider']

/** What each button does once it is pressed. */
export function useWays(door: DoorStep): (way: OtherWay, wallet?: FoundWallet) => Promise<unknown> {
  const { auth } = useClient()
  const project = useProject()
  const { pending, lastWay } = useDoorMemory()
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
        await unwrap(auth.signInWithOAuth({ provider: way.id as Provider, options: { redirectTo: callbackAddress() } }))
        return untilLeft()
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
      case 'wallet':
        if (!wallet) return undefined
        lastWay.begin(nameOf(way, wallet))
        return signInWithWallet(auth, { wallet, projectName: project.name, url: callbackAddress(), captcha })
    }
  }
}
