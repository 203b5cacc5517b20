import { expect, test } from 'vitest'
import { openRawSocket, type RawSocket } from './open-raw-socket.ts'
import { openTestBox } from './open-test-box.ts'

const room = 'realtime:crowd'
const config = { config: { presence: { enabled: true } } }

test('a crowd that joins and reads nothing is given no more than there is room for, and those who read are told who is there', async () => {
  const box = await openTestBox({ options: { realtime: { maxQueuedBytesOfAll: 40_000_000, maxPresenceEventsPerSecond: 1_000 } } })
  const query = `apikey=${box.backend.keys.publishableKey}&vsn=2.0.0`
  const opened: RawSocket[] = []
  const connect = async () => {
    const socket = await openRawSocket(box.url, query)
    opened.push(socket)
    return socket
  }
  // Together they say about eleven megabytes of themselves: more than the kernel holds for both ends of a socket.
  for (let talker = 0; talker < 4; talker += 1) {
    const socket = await connect()
    await socket.ask('1', '1', room, 'phx_join', { config: { presence: { enabled: false } } })
    expect(await socket.ask('1', '2', room, 'presence', { event: 'track', payload: { words: 'x'.repeat(2_800_000) } })).toMatchObject({ status: 'ok' })
  }

  const reading = await connect()
  const state = reading.next(([, , , event]) => event === 'presence_state')
  await reading.ask('1', '1', room, 'phx_join', config)
  expect(Object.keys((await state)[4])).toHaveLength(4)

  const crowd = await Promise.all(Array.from({ length: 20 }, connect))
  for (const socket of crowd) {
    socket.socket.pause()
    socket.send('1', '1', room, 'phx_join', config)
  }
  // Who does not read does not notice that it was closed, either.
  await new Promise((resolve) => setTimeout(resolve, 8_000))
  for (const { socket } of crowd) socket.resume()
  const ends = await Promise.all(crowd.map(({ closed }) => Promise.race([closed, new Promise<'open'>((resolve) => setTimeout(() => resolve('open'), 8_000))])))
  expect(ends.filter((end) => end !== 'open').length).toBeGreaterThanOrEqual(10)
  expect(crowd.some(({ frames }) => frames.some(([, , , event]) => event === 'presence_state'))).toBe(true)

  // There is room again for those who come now.
  for (const { socket } of crowd) socket.terminate()
  await expect.poll(async () => {
    const late = await connect()
    const told = late.next(([, , , event]) => event === 'presence_state').then(() => true, () => false)
    late.send('1', '1', room, 'phx_join', config)
    return told
  }, { timeout: 40_000 }).toBe(true)
  for (const { socket } of opened) socket.terminate()
  await box.close()
}, 120_000)
