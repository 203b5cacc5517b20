import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { inject } from 'vitest'
import { WebSocket } from 'ws'

/** The project under test: a box started for this run, or any other by `PORTICO_CONFORMANCE_STATUS` (what `status --json` prints). */
export const target = () => inject('target')

/** The official client with the browser's key and no stored session. */
export function client(headers: Record<string, string> = {}): SupabaseClient {
  const { API_URL, PUBLISHABLE_KEY } = target()
  // Node 20 has no WebSocket of its own, and the client asks for one when it is made.
  const realtime = { transport: WebSocket as unknown as typeof globalThis.WebSocket }
  return createClient(API_URL, PUBLISHABLE_KEY, { auth: { persistSession: false, autoRefreshToken: false, flowType: 'pkce' }, global: { headers }, realtime })
}

/** The client of an administrator: never in a browser. */
export function adminClient(): SupabaseClient {
  const { API_URL, SECRET_KEY } = target()
  const realtime = { transport: WebSocket as unknown as typeof globalThis.WebSocket }
  return createClient(API_URL, SECRET_KEY, { auth: { persistSession: false, autoRefreshToken: false }, realtime })
}

let people = 0
/** A confirmed person and a client signed in as them. */
export async function person(): Promise<{ client: SupabaseClient; email: string; password: string; id: string }> {
  const email = `person-${process.pid}-${Date.now()}-${++people}@conformance.example`
  const password = 'a-long-enough-password'
  const made = await adminClient().auth.admin.createUser({ email, password, email_confirm: true })
  if (made.error) throw made.error
  const own = client()
  const signedIn = await own.auth.signInWithPassword({ email, password })
  if (signedIn.error) throw signedIn.error
  return { client: own, email, password, id: made.data.user.id }
}

interface Mail {
  subject: string
  text: string
  html: string
}

/** The newest mail to an address, from the box's mailbox. */
export async function newestMail(to: string): Promise<Mail> {
  const { MAILBOX_URL } = target()
  for (let attempt = 0; attempt < 40; attempt++) {
    const list = (await fetch(`${MAILBOX_URL}/api/v1/messages`).then((answer) => answer.json())) as { messages: { ID: string; To: { Address: string }[] }[] }
    const found = list.messages.find((mail) => mail.To.some((address) => address.Address === to))
    if (found) {
      const whole = (await fetch(`${MAILBOX_URL}/api/v1/message/${found.ID}`).then((answer) => answer.json())) as { Subject: string; Text: string; HTML: string }
      return { subject: whole.Subject, text: whole.Text, html: whole.HTML }
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail came for ${to}`)
}
