import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { AppError } from '#api/app-error.ts'

/** The person is back from a provider they set out to connect. */
export interface Return {
  provider: string
  /** Why it was not connected; null when the provider let them through. */
  refusal: AppError | null
}

const parameter = 'connect'

/** Where the provider brings the person back to. */
export const returnPath = (provider: string): string => `/account?${parameter}=${encodeURIComponent(provider)}`

/** Reads what the callback page has left in the address and beside its entry in the browser's history, and clears both: a reload tells nothing twice. */
export function useReturn(): [came: Return | null, forget: () => void] {
  const [, navigate] = useLocation()
  const [came, setCame] = useState(() => readReturn(location.search, history.state))
  useEffect(() => {
    if (new URLSearchParams(location.search).has(parameter)) navigate('/account', { replace: true })
  }, [navigate])
  return [came, () => setCame(null)]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export function readReturn(search: string, state: unknown): Return | null {
  const provider = new URLSearchParams(search).get(parameter) ?? ''
  if (provider === '') return null
  const refused: unknown = typeof state === 'object' && state !== null && 'refused' in state ? state.refused : undefined
  if (typeof refused !== 'object' || refused === null) return { provider, refusal: null }
  const { code, message } = refused as { code?: unknown; message?: unknown }
  return { provider, refusal: new AppError('invalid', textOf(message), { code: textOf(code), status: 400 }) }
}
