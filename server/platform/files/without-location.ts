/** Types that are stored as they are, in which cameras write where a picture was taken. */
export const LOCATED =
  /^(image\/(heic|heif|avif|tiff)(-sequence)?|video\/(quicktime|mp4|x-m4v|3gpp)|audio\/(mp4|x-m4a))$/
/** A place as ISO 6709 writes it, in films: `+52.3702+004.8952+12.0/`. */
const ISO_6709 = /[+-]\d{2,6}(?:\.\d+)?[+-]\d{3,7}(?:\.\d+)?(?:[+-]\d+(?:\.\d+)?)?\//g
const XMP_BEGINS = Buffer.from('<x:xmpmeta', 'latin1')
const XMP_ENDS = Buffer.from('</x:xmpmeta>', 'latin1')
/** Begins the block in which pictures describe themselves, in either order of bytes. */
const TIFF_HEADERS = [Buffer.from('II*\0', 'latin1'), Buffer.from('MM\0*', 'latin1')]
const GPS_TAG = 0x8825
const MAX_ENTRIES = 200
/** Bytes of one value, by type. */
const SIZES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]

/**
 * The same file, of one of these types, without the place where it was taken: it is overwritten, and nothing else moves,
 * so that the file needs not be decoded. Runs in a worker process.
 */
export function withoutLocation(bytes: Uint8Array, content_type: string): Buffer {
  const clean = Buffer.from(bytes)
  if (content_type === 'image/tiff') blankGps(clean, 0)
  else for (const at of findTiffBlocks(clean)) blankGps(clean, at)
  blankXmp(clean)
  const text = clean.toString('latin1')
  for (const { index, 0: match } of text.matchAll(ISO_6709)) clean.write(match.replace(/\d/g, '0'), index, 'latin1')
  return clean
}

/** Overwrites the descriptions in XML. */
function blankXmp(bytes: Buffer): void {
  for (let at = bytes.indexOf(XMP_BEGINS); at !== -1; at = bytes.indexOf(XMP_BEGINS, at)) {
    const end = bytes.indexOf(XMP_ENDS, at)
    if (end === -1) return
    bytes.fill(' ', at, end + XMP_ENDS.length)
  }
}

/** Where such blocks begin. They follow the word Exif, sometimes with an offset in between. */
function findTiffBlocks(bytes: Buffer): number[] {
  const blocks: number[] = []
  for (const header of TIFF_HEADERS) {
    for (let at = bytes.indexOf(header); at !== -1 && blocks.length < 100; at = bytes.indexOf(header, at + 1)) {
      const before = bytes.subarray(Math.max(0, at - 16), at).toString('latin1')
      if (before.includes('Exif')) blocks.push(at)
    }
  }
  return blocks
}

/** Overwrites the directory with the place, to which the first directory of a TIFF block points. Broken ones are left. */
function blankGps(bytes: Buffer, start: number): void {
  const isLittle = bytes[start] === 0x49
  const read16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const read32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  try {
    const first = start + read32(start + 4)
    const gps = entriesAt(first).find((entry) => read16(entry) === GPS_TAG)
    if (gps === undefined) return
    const directory = start + read32(gps + 8)
    for (const entry of entriesAt(directory)) {
      const size = (SIZES[read16(entry + 2)] ?? 0) * read32(entry + 4)
      const at = start + read32(entry + 8)
      if (size > 4 && size < 1_000 && at + size <= bytes.length) bytes.fill(0, at, at + size)
      bytes.fill(0, entry, entry + 12)
    }
    bytes.fill(0, directory, directory + 2)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }

  function entriesAt(directory: number): number[] {
    const count = Math.min(read16(directory), MAX_ENTRIES)
    return Array.from({ length: count }, (_, i) => directory + 2 + i * 12)
  }
}
