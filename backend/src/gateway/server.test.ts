import { expect, test } from 'vitest'
import { openPort } from './server.ts'

test('a box that still starts says so, and tells a client that resumes an upload to ask again', async () => {
  const port = await openPort({ host: '127.0.0.1', ports: [0] })
  try {
    const ask = async (headers: Record<string, string> = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port.port}/storage/v1/upload/resumable/x`, { method: 'HEAD', headers })
      return [answer.status, answer.headers.get('retry-after')]
    }
    expect(await ask()).toEqual([503, '1'])
    expect(await ask({ 'tus-resumable': '1.0.0' })).toEqual([423, '1'])
  } finally {
    await port.close(0)
  }
})
