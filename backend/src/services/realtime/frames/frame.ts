const text = 0x81
const binary = 0x82

function headerOf(opcode: number, length: number): Buffer {
  if (length < 126) return Buffer.from([opcode, length])
  if (length < 65_536) {
    const header = Buffer.allocUnsafe(4)
    header[0] = opcode
    header[1] = 126
    header.writeUInt16BE(length, 2)
    return header
  }
  const header = Buffer.alloc(10)
  header[0] = opcode
  header[1] = 127
  header.writeUIntBE(length, 4, 6)
  return header
}

/**
 * A whole WebSocket frame of a server: final, unmasked, uncompressed. The same bytes go to everybody, written to the socket as
 * they are; per receiver nothing is left but the write.
 */
export function frameText(payload: string): Buffer {
  const length = Buffer.byteLength(payload)
  const header = headerOf(text, length)
  const frame = Buffer.allocUnsafe(header.length + length)
  header.copy(frame)
  frame.write(payload, header.length)
  return frame
}

/** As `frameText`, around bytes that many frames share: they are not copied, and may wait in many sockets at once. */
export function frameAround(before: string, shared: Buffer, after: string): [Buffer, Buffer, Buffer] {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)]
  return [Buffer.concat([headerOf(text, head.length + shared.length + tail.length), head]), shared, tail]
}

/** As `frameText`, of bytes. */
export function frameBinary(parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([headerOf(binary, length), ...parts])
}
