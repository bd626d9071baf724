/** Width and height of a picture in pixels. */
export interface PictureSize {
  width: number
  height: number
}

/** A picture's size, read from its first bytes without decoding; undefined if they do not contain it. */
export function readPictureSize(bytes: Buffer, content_type: string): PictureSize | undefined {
  try {
    const size = READERS[content_type]?.(bytes)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch {
    // The data is truncated.
    return undefined
  }
}

const READERS: Record<string, (bytes: Buffer) => PictureSize | undefined> = {
  'image/png': (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
}

/** The first frame header contains the size; earlier segments contain their length. */
function readJpeg(bytes: Buffer): PictureSize | undefined {
  for (let at = 2; at < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** Each of the three kinds of WebP stores it elsewhere. */
function readWebp(bytes: Buffer): PictureSize | undefined {
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return undefined
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
