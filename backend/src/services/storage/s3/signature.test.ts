import { describe, expect, test } from 'vitest'
import { decodeAwsChunked } from './aws-chunked.ts'
import { readRequestClaim } from './signature-claim.ts'
import { createChunkSigner, deriveSigningKey, signaturesOf } from './signature.ts'

// Key, requests and signatures of Amazon's own documentation.
const accessKey = 'AKIAIOSFODNN7EXAMPLE'
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Example {
  method?: string
  url: string
  headers: Record<string, string>
  signature: string
}

const authorization = (names: string, signature: string): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKey}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`

const host = 'examplebucket.s3.amazonaws.com'

const withDate = (hash: string, more: Record<string, string> = {}): Record<string, string> =>
  ({ host, 'x-amz-content-sha256': hash, 'x-amz-date': '20130524T000000Z', ...more })

function signed({ method = 'GET', url, headers, signature }: Example): { made: string[]; claimed: string } {
  const at = new URL(url)
  const names = Object.keys(headers).sort().join(';')
  const sent = new Headers({ ...headers, ...(at.searchParams.has('X-Amz-Credential') ? {} : { authorization: authorization(names, signature) }) })
  const claim = readRequestClaim(sent, at.searchParams)
  const payloadHash = sent.get('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD'
  const request = { method, pathname: at.pathname, query: at.search.slice(1), headers: sent, hosts: [at.host], payloadHash }
  return { made: signaturesOf(deriveSigningKey(secret, claim.scope), claim, request), claimed: claim.signature }
}

describe('a signature', () => {
  test.each<[string, Example]>([
    ['of a read with a range', {
      url: `https://${host}/test.txt`,
      headers: withDate(emptyHash, { range: 'bytes=0-9' }),
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    }],
    ['of a path whose signs the client sends as they are', {
      method: 'PUT',
      url: `https://${host}/test$file.text`,
      headers: withDate('44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072', { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }),
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    }],
    ['of a query without a value', {
      url: `https://${host}/?lifecycle`,
      headers: withDate(emptyHash),
      signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    }],
    ['of a query of two', {
      url: `https://${host}/?prefix=J&max-keys=2`,
      headers: withDate(emptyHash),
      signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    }],
    ['in a URL', {
      url: `https://${host}/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${accessKey}%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
      headers: { host },
      signature: '',
    }],
  ])('%s is the one of the documentation', (_, example) => {
    const { made, claimed } = signed(example)
    expect(made).toContain(claimed)
  })

  test('is another one when path, query, method or a signed header changes', () => {
    const example = { url: `https://${host}/test.txt`, headers: withDate(emptyHash, { range: 'bytes=0-9' }), signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41' }
    const changed: Example[] = [
      { ...example, url: `https://${host}/test.tx` },
      { ...example, url: `https://${host}/test.txt?acl` },
      { ...example, method: 'DELETE' },
      { ...example, headers: withDate(emptyHash, { range: 'bytes=0-10' }) },
      { ...example, url: 'https://other.s3.amazonaws.com/test.txt' },
    ]
    for (const request of changed) {
      const { made, claimed } = signed(request)
      expect(made).not.toContain(claimed)
    }
  })

  test.each([
    ['no signature', {}],
    ['a bearer token', { authorization: 'Bearer abc' }],
    ['another algorithm', { authorization: authorization('host', 'f'.repeat(64)).replace('AWS4-HMAC-SHA256', 'AWS4-ECDSA-P256-SHA256') }],
    ['a signature that is not one', { 'x-amz-date': '20130524T000000Z', authorization: authorization('host', 'zz') }],
    ['a scope of another day', { 'x-amz-date': '20130525T000000Z', authorization: authorization('host', 'f'.repeat(64)) }],
    ['no date', { authorization: authorization('host', 'f'.repeat(64)) }],
  ])('is not read from %s', (_, headers) => {
    expect(() => readRequestClaim(new Headers(headers), new URLSearchParams())).toThrow(/signature/i)
  })
})

async function read(body: Iterable<string>, rules: Parameters<typeof decodeAwsChunked>[1]): Promise<string> {
  const pieces: Uint8Array[] = []
  async function* source() {
    for (const piece of body) yield Buffer.from(piece)
  }
  for await (const piece of decodeAwsChunked(source(), rules)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const claimWith = (signature: string) =>
  readRequestClaim(new Headers({ 'x-amz-date': '20130524T000000Z', authorization: authorization('host', signature) }), new URLSearchParams())

const signerFrom = (seed: string) => {
  const claim = claimWith(seed)
  return createChunkSigner(deriveSigningKey(secret, claim.scope), claim)
}

const chunk = (text: string, signature?: string): string =>
  `${text.length.toString(16)}${signature === undefined ? '' : `;chunk-signature=${signature}`}\r\n${text}${text === '' ? '' : '\r\n'}`

const seed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9'
const first = chunk('a'.repeat(65_536), 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648')
const second = chunk('a'.repeat(1024), '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497')
const last = `${chunk('', 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9')}\r\n`
const signedRules = () => ({ signer: signerFrom(seed), hasTrailer: false, decodedBytes: 66_560 })

describe('a body in chunks', () => {
  test('gives the bytes of the documentation\'s example, however it is cut on the way', async () => {
    const whole = first + second + last
    expect(await read([whole], signedRules())).toBe('a'.repeat(66_560))
    expect(await read(whole.match(/[\s\S]{1,7}/g) ?? [], signedRules())).toBe('a'.repeat(66_560))
  })

  test('holds the signature of its trailing headers', async () => {
    const chunks = chunk('a'.repeat(65_536), 'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2') +
      chunk('a'.repeat(1024), '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7') +
      chunk('', '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992')
    const trailer = 'x-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n'
    const rules = () => ({ signer: signerFrom('106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e'), hasTrailer: true, decodedBytes: 66_560 })
    expect(await read([chunks, trailer], rules())).toBe('a'.repeat(66_560))
    await expect(read([chunks, trailer.replace('sOO8', 'sOO9')], rules())).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' })
    await expect(read([chunks, '\r\n'], rules())).rejects.toMatchObject({ code: 'MalformedTrailerError' })
  })

  test.each<[string, string, string]>([
    ['a changed byte', first.replace('aaa', 'aab') + second + last, 'SignatureDoesNotMatch'],
    ['chunks in another order', second + first + last, 'SignatureDoesNotMatch'],
    ['a chunk that is left out', first + last, 'SignatureDoesNotMatch'],
    ['no last chunk', first + second, 'InvalidRequest'],
    ['an end in the middle of a chunk', first.slice(0, 4000), 'InvalidRequest'],
    ['bytes after the last chunk', `${first}${second}${last}x`, 'InvalidRequest'],
    ['more than was declared', `fffff;chunk-signature=${'a'.repeat(64)}\r\n`, 'InvalidRequest'],
    ['a size that is not one', `-1;chunk-signature=${'a'.repeat(64)}\r\n`, 'InvalidRequest'],
    ['a size too long to be one', `${'f'.repeat(20)}\r\n`, 'InvalidRequest'],
    ['a header without end', 'f'.repeat(100_000), 'InvalidRequest'],
    ['a chunk without its signature', '5\r\nhello\r\n0\r\n\r\n', 'InvalidRequest'],
  ])('is refused with %s', async (_, body, code) => {
    await expect(read([body], signedRules())).rejects.toMatchObject({ code })
  })

  test('without signatures is still held to its length and its form', async () => {
    const rules = (decodedBytes: number) => ({ hasTrailer: true, decodedBytes })
    const trailer = 'x-amz-checksum-crc32:NhCmhg==\r\n\r\n'
    expect(await read([`5\r\nhello\r\n0\r\n${trailer}`], rules(5))).toBe('hello')
    await expect(read([`5\r\nhello\r\n0\r\n${trailer}`], rules(6))).rejects.toMatchObject({ code: 'InvalidRequest' })
    await expect(read([`5\r\nhelloXX0\r\n${trailer}`], rules(5))).rejects.toMatchObject({ code: 'InvalidRequest' })
    await expect(read(['5\r\nhello\r\n0\r\n', 'x: y\r\n'.repeat(20)], rules(5))).rejects.toMatchObject({ code: 'MalformedTrailerError' })
  })
})
