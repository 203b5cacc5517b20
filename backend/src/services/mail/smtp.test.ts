import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import { createSmtpDelivery } from './smtp.ts'

const mail = { from: { address: 'noreply@example.com', name: 'Helpdesk' }, to: 'ada@example.com', subject: 'Grüße', html: '<p>048213</p>', text: '048213' }

let server: Server | undefined
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())))

const answers: Record<string, string> = { EHLO: '250 box', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go on', QUIT: '221 bye' }

/** A mail server that keeps what it is told. */
async function startServer(greeting = '220 box'): Promise<{ port: number; heard: () => string }> {
  let heard = ''
  const talk = (socket: Socket) => {
    let isData = false
    socket.write(`${greeting}\r\n`)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      heard += bytes.toString()
      if (isData) {
        if (!heard.endsWith('\r\n.\r\n')) return
        isData = false
        socket.write('250 kept\r\n')
        return
      }
      for (const line of bytes.toString().trim().split('\r\n')) {
        const word = line.slice(0, 4).toUpperCase()
        isData = word === 'DATA'
        socket.write(`${answers[word] ?? '502 what'}\r\n`)
      }
    })
  }
  server = createServer(talk)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, heard: () => heard }
}

describe('delivery by SMTP', () => {
  it('hands a mail to the server with both parts and the sender’s name', async () => {
    const { port, heard } = await startServer()
    const { deliver, close } = createSmtpDelivery({ host: '127.0.0.1', port })
    await deliver(mail)
    close()
    expect(heard()).toContain('MAIL FROM:<noreply@example.com>')
    expect(heard()).toContain('RCPT TO:<ada@example.com>')
    expect(heard()).toMatch(/From: "?Helpdesk"? <noreply@example.com>/)
    expect(heard()).toContain('multipart/alternative')
    expect(heard()).toContain('Auto-Submitted: auto-generated')
  })

  it('fails when the server refuses or is gone', async () => {
    const { port } = await startServer('554 closed')
    const refused = createSmtpDelivery({ host: '127.0.0.1', port })
    await expect(refused.deliver(mail)).rejects.toThrow()
    refused.close()
    const gone = createSmtpDelivery({ host: '127.0.0.1', port: 1 })
    await expect(gone.deliver(mail)).rejects.toThrow()
    gone.close()
  })

  it('adds no recipient and no header from an address or a subject', async () => {
    const { port, heard } = await startServer()
    const { deliver, close } = createSmtpDelivery({ host: '127.0.0.1', port })
    await deliver({ ...mail, to: 'ada@example.com', subject: 'Hi\r\nBcc: evil@example.com' })
    close()
    expect(heard()).not.toMatch(/^Bcc:/m)
    expect(heard().match(/RCPT TO/g)).toHaveLength(1)
  })
})
