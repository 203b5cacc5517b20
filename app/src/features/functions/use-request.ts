import { useCallback, useState } from 'react'
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
  const [request, setRequest] = useState(() => withAddress(draft ?? requestOf(listed), parameters))
  const change = useCallback((changes: Partial<CallRequest>) => {
    const next = { ...request, ...changes }
    setRequest(next)
    changeAddress(addressOf(next))
    // What stands in the address needs no draft; only work that would be lost is called unsaved.
    const isWork = next.text !== '' || filled(next.headers).length > 0 || filled(next.form).length > 0
    if (isWork) save(next)
    else clear()
  }, [request, save, clear, changeAddress])
  return { request: { ...emptyRequest, ...request }, change, sent: clear }
}
