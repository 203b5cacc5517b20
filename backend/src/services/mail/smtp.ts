import { createTransport } from 'nodemailer'

import type { Deliver } from './mail.ts'

/** A mail server, as `[auth.email.smtp]` names it. */
export interface SmtpServer {
  host: string
  /** 465 speaks TLS from the start; others turn to it when the server offers it. */
  port: number
  user?: string
  password?: string
}

/**
 * Sends by SMTP over a few kept connections.
 *
 * Credentials leave only over TLS, loopback servers aside: a server that offers no TLS is an error, not a reason to
 * send the password in the clear.
 */
export function createSmtpDelivery({ host, port, user, password }: SmtpServer): { deliver: Deliver; close(): void } {
  const isLoopback = ['localhost', '127.0.0.1', '::1'].includes(host)
  const transport = createTransport({
    host,
    port,
    secure: port === 465,
    requireTLS: user !== undefined && !isLoopback,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    // Templates are the project's, values a stranger's: neither may make the server read files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    deliver: async ({ from, to, subject, html, text }) => {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, html, text, headers: { 'X-Auto-Response-Suppress': 'All', 'Auto-Submitted': 'auto-generated' } })
    },
    close: () => transport.close(),
  }
}
