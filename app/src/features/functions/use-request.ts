import { useCallback, useEffect, useRef, useState } from 'react'
import type { ListedFunction } from '#listed-functions.ts'
import { usePageParameters } from '#page-address.ts'
import { useDraft } from '#session/drafts.ts'
import { addressOf, withAddress } from './address.ts'
import { emptyRequest, filled, isRequest, requestOf, type CallRequest } from './request.ts'

export interface EditedRequest {
  request: CallRequest
  change: (changes: Partial<CallRequest>) => void
  /** It was sent: nothing is unsaved any more. */
  sent: () => void
}

/**
 * The request in hand. Its address part stands in the page's address; headers and body in a draft of this tab, since they
 * may hold what no history should.
 */
export function useRequest(name: string, listed: ListedFunction | undefined): EditedRequest {
  const { draft, save, clear } = useDraft(`function:${name}`, isRequest)
  const [parameters, changeAddress] = usePageParameters()
  const tellAddress = useCalm(useCallback((next: CallRequest) => changeAddress(addressOf(next)), [changeAddress]))
  const [request, setRequest] = useState(() => withAddress(draft ?? requestOf(listed), parameters))
  const change = useCallback((changes: Partial<CallRequest>) => {
    const next = { ...request, ...changes }
    setRequest(next)
    tellAddress(next)
    // What stands in the address needs no draft; only work that would be lost is called unsaved.
    const isWork = next.text !== '' || filled(next.headers).length > 0 || filled(next.form).length > 0
    if (isWork) save(next)
    else clear()
  }, [request, save, clear, tellAddress])
  return { request: { ...emptyRequest, ...request }, change, sent: clear }
}

const calmMs = 400

/** Does something at once, and what follows closely once it has calmed down: some browsers refuse an address that changes with each key. */
function useCalm<T>(act: (value: T) => void): (value: T) => void {
  const last = useRef<{ at: number; timer?: ReturnType<typeof setTimeout> }>({ at: 0 })
  useEffect(() => () => clearTimeout(last.current.timer), [])
  return useCallback((value: T) => {
    clearTimeout(last.current.timer)
    const run = () => {
      last.current = { at: Date.now() }
      act(value)
    }
    const wait = last.current.at + calmMs - Date.now()
    if (wait <= 0) run()
    else last.current.timer = setTimeout(run, wait)
  }, [act])
}
