import { expect, test } from 'vitest'
import { readGivenSums, withCheckedSums, type ExpectedSums } from './checksums.ts'

async function* pieces(text: string) {
  for (const letter of text) yield Buffer.from(letter)
}

async function read(text: string, expected: Partial<ExpectedSums>): Promise<string> {
  let whole = ''
  const sums = { given: new Map<string, string>(), trailing: [], readTrailer: () => new Map<string, string>(), ...expected }
  for await (const piece of withCheckedSums(pieces(text), sums)) whole += Buffer.from(piece).toString()
  return whole
}

// The check values of each algorithm, of the text 123456789.
const sums = {
  'x-amz-checksum-crc32': Buffer.from('cbf43926', 'hex').toString('base64'),
  'x-amz-checksum-crc32c': Buffer.from('e3069283', 'hex').toString('base64'),
  'x-amz-checksum-crc64nvme': Buffer.from('ae8b14860a799888', 'hex').toString('base64'),
  'x-amz-checksum-sha1': Buffer.from('f7c3bc1d808e04732adf679965ccc34ca7ae3441', 'hex').toString('base64'),
  'x-amz-checksum-sha256': Buffer.from('15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225', 'hex').toString('base64'),
  'content-md5': Buffer.from('25f9e794323b453885f5181f1b624d0b', 'hex').toString('base64'),
}

test.each(Object.entries(sums))('%s is compared with the body, before it and after it', async (name, value) => {
  const given = readGivenSums(new Headers({ [name]: value }))
  expect(await read('123456789', { given })).toBe('123456789')
  await expect(read('123456788', { given })).rejects.toMatchObject({ code: 'InvalidChecksum' })
  const trailing = { trailing: [name], readTrailer: () => new Map([[name, value]]) }
  expect(await read('123456789', trailing)).toBe('123456789')
  await expect(read('12345678', trailing)).rejects.toMatchObject({ code: 'InvalidChecksum' })
  await expect(read('123456789', { ...trailing, readTrailer: () => new Map() })).rejects.toMatchObject({ code: 'InvalidChecksum' })
})

test('the hash a request was signed with is compared with the body', async () => {
  const payloadHash = '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'
  expect(await read('123456789', { payloadHash })).toBe('123456789')
  await expect(read('1234567890', { payloadHash })).rejects.toMatchObject({ code: 'InvalidChecksum' })
})
