import { useState } from 'react'
import { createCookieJar } from '#api/cookie-jar.ts'
import { readProjectKey, type KeyFault } from '#projects/project-key.ts'
import { isLoopback, projectName, readProjectUrl, type UrlFault, type UrlReading } from '#projects/project-url.ts'
import { useProjects } from '#projects/projects.tsx'
import { proveProject, type Proof } from './prove-project.ts'

export type ConnectState =
  | { step: 'asking'; urlFault?: UrlFault; keyFault?: KeyFault; failure?: Extract<Proof, { ok: false }> }
  | { step: 'proving' }

export interface ConnectForm {
  url: string
  key: string
  state: ConnectState
  /** What the typed address stands for, when it is not the address itself. */
  understood: Extract<UrlReading, { ok: true }> | undefined
  /** The host a link filled in; it must be trusted first. */
  prefilledHost: string | undefined
  setUrl: (url: string) => void
  setKey: (key: string) => void
  submit: () => Promise<void>
}

/** The two fields, their faults, and the proof. A secret key is dropped the moment it is seen whole, and never sent. */
export function useConnectForm(onConnected: () => void): ConnectForm {
  const { add } = useProjects()
  const [link] = useState(takeLink)
  const [url, setUrlText] = useState(link.url)
  const [key, setKeyText] = useState(link.key)
  const [state, setState] = useState<ConnectState>({ step: 'asking', ...(link.keyFault && { keyFault: link.keyFault }) })
  const reading = readProjectUrl(url)
  const understood = reading.ok && reading.from !== 'address' ? reading : undefined

  const setUrl = (text: string) => {
    setUrlText(text)
    setState((before) => (before.step === 'asking' && before.keyFault ? { step: 'asking', keyFault: before.keyFault } : { step: 'asking' }))
  }
  const setKey = (text: string) => {
    const fault = secretFault(text)
    // What is typed sign by sign stays until it is sent off: emptied at its prefix, the rest would pass for another key.
    setKeyText(fault && text.length > key.length + 1 ? '' : text)
    setState((before) => ({
      step: 'asking',
      ...(before.step === 'asking' && before.urlFault && { urlFault: before.urlFault }),
      ...(fault && { keyFault: fault }),
    }))
  }
  const submit = async () => {
    const place = readProjectUrl(url)
    const publicKey = readProjectKey(key)
    if (!place.ok || !publicKey.ok) {
      if (secretFault(key)) setKeyText('')
      const refused = state.step === 'asking' && key === '' && isSecret(state.keyFault) ? state.keyFault : undefined
      setState({ step: 'asking', ...(!place.ok && { urlFault: place.fault }), ...(!publicKey.ok && { keyFault: refused ?? publicKey.fault }) })
      return
    }
    setState({ step: 'proving' })
    const proof = await proveProject({ url: place.url, key: publicKey.key, ...thisPage() })
    if (!proof.ok) {
      setState({ step: 'asking', failure: proof })
      return
    }
    add({ name: projectName(place.url), url: place.url, key: publicKey.key })
    onConnected()
  }
  const prefilledHost = link.url !== '' && link.url === url && reading.ok && !isLoopback(reading.url) ? new URL(reading.url).host : undefined
  return { url, key, state, understood, prefilledHost, setUrl, setKey, submit }
}

const isSecret = (fault: KeyFault | undefined): boolean => fault === 'key-secret' || fault === 'key-service-role'

/** The faults of a key that must not even stay in its field. */
function secretFault(text: string): KeyFault | undefined {
  const reading = readProjectKey(text)
  return !reading.ok && isSecret(reading.fault) ? reading.fault : undefined
}

/** Reads `?url=…&key=…` once and takes both out of the address, so that no key stays in the history. */
function takeLink(): { url: string; key: string; keyFault?: KeyFault } {
  const parameters = new URLSearchParams(location.search)
  const [url, key] = [parameters.get('url') ?? '', parameters.get('key') ?? '']
  if (url === '' && key === '') return { url, key }
  // Outside of the drawing under way: the router listens to this.
  queueMicrotask(() => history.replaceState(history.state, '', location.pathname))
  const keyFault = secretFault(key)
  return keyFault ? { url, key: '', keyFault } : { url, key }
}

function thisPage() {
  const cookies = createCookieJar({ name: 'portico-probe', secure: location.protocol === 'https:' }, { document })
  return {
    fetch: (...call: Parameters<typeof fetch>) => fetch(...call),
    page: { protocol: location.protocol, isOnline: navigator.onLine, keepsCookies: cookies.works() },
    watchPolicy: () => {
      let refused = false
      const note = (event: SecurityPolicyViolationEvent) => (refused ||= event.effectiveDirective === 'connect-src')
      document.addEventListener('securitypolicyviolation', note)
      return { refused: () => refused, stop: () => document.removeEventListener('securitypolicyviolation', note) }
    },
  }
}
