import { expect, test } from 'vitest'
import { exposureNotes, originOf, portError, portsToTry } from './addresses.ts'

test('a port that was asked for is the only one tried; else the usual one and those after it', () => {
  expect(portsToTry(8000)).toEqual([8000])
  expect(portsToTry(undefined).slice(0, 3)).toEqual([54_321, 54_322, 54_323])
  expect(portsToTry(undefined, 54_331)[0]).toBe(54_331)
})

test('the address people are told is one they can open', () => {
  expect(originOf('127.0.0.1', 1)).toBe('http://127.0.0.1:1')
  expect(originOf('localhost', 1)).toBe('http://localhost:1')
  expect(originOf('0.0.0.0', 1)).toBe('http://127.0.0.1:1')
  expect(originOf('::', 1)).toBe('http://127.0.0.1:1')
  expect(originOf('::1', 1)).toBe('http://[::1]:1')
  expect(originOf('192.168.0.9', 1)).toBe('http://192.168.0.9:1')
})

test('listening for other machines is said aloud, and only then', () => {
  expect(exposureNotes('127.0.0.1')).toEqual([])
  expect(exposureNotes('localhost')).toEqual([])
  for (const host of ['0.0.0.0', '::', '192.168.0.9']) expect(exposureNotes(host)[0]).toContain('other machines can reach it')
})

test('what the socket refuses is said in words', () => {
  const say = (code: string, ports = [80]) => String(portError(Object.assign(new Error(code), { code }), '10.9.9.9', ports))
  expect(say('EADDRINUSE')).toContain('Port 80 is in use')
  expect(say('EADDRINUSE', [5, 6, 7])).toContain('5 to 7 are all in use')
  expect(say('EACCES')).toContain('above 1023')
  expect(say('EADDRNOTAVAIL')).toContain('no address 10.9.9.9')
})
