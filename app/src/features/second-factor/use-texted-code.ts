import { useState } from 'react'
import { toAppError } from '#api/unwrap.ts'
import { createSendLocks, secondsInMessage, useSecondsLeft } from '#session/send-lock.ts'
import { useClient, useProject } from '#session/session.tsx'
import { textCode, verifyTexted, type TextedCode } from './verify-factor.ts'

const keyOf = (factorId: string) => `portico.texted-code.${factorId}`

/** A code that was sent stays good over a reload of this tab. */
function readSent(factorId: string): TextedCode | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(factorId)) ?? 'null') as Partial<TextedCode> | null
    if (typeof kept?.challengeId !== 'string' || typeof kept.expiresAt !== 'number' || kept.expiresAt < Date.now()) return undefined
    return { challengeId: kept.challengeId, expiresAt: kept.expiresAt }
  } catch {
    return undefined
  }
}

const staleWords: Readonly<Record<string, 'textedTooOld' | 'networkChanged'>> = { mfa_challenge_expired: 'textedTooOld', mfa_ip_address_mismatch: 'networkChanged' }

/** Sends a code to a phone factor, and checks the one that was typed. Too old, or from another network, a new one is sent by itself. */
export function useTextedCode(factorId: string) {
  const client = useClient()
  const { id: projectId } = useProject()
  const [locks] = useState(() => createSendLocks(projectId, localStorage))
  const [sent, setSent] = useState(() => readSent(factorId))
  const [renewed, setRenewed] = useState<'textedTooOld' | 'networkChanged'>()
  const seconds = useSecondsLeft(locks, 'factor-text', factorId)

  const send = async () => {
    try {
      const code = await textCode(client, factorId)
      sessionStorage.setItem(keyOf(factorId), JSON.stringify(code))
      locks.lock('factor-text', factorId)
      setSent(code)
    } catch (failure) {
      const error = toAppError(failure)
      if (error.status === 429) locks.lock('factor-text', factorId, secondsInMessage(error.message))
      throw error
    }
  }
  /** Answers whether the code was right; false when a new one had to be sent. */
  const verify = async (code: string): Promise<boolean> => {
    if (!sent) return false
    setRenewed(undefined)
    try {
      await verifyTexted(client, factorId, { challengeId: sent.challengeId, code })
      sessionStorage.removeItem(keyOf(factorId))
      return true
    } catch (failure) {
      const stale = staleWords[toAppError(failure).code]
      if (!stale) throw failure
      await send()
      setRenewed(stale)
      return false
    }
  }
  return { isSent: sent !== undefined, seconds, renewed, send, verify }
}
