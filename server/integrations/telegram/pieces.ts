import type { FormattedText } from './entities.ts'
import { splitText } from './split.ts'
import { toEntities } from './to-entities.ts'

/** A file of a message, as far as it decides how it is sent. */
export interface SentFile {
  id: string
  filename: string
  content_type: string
  size: number
  width: number | null
  height: number | null
  file_url: string
}

/** What is sent by one call. An album is several messages there. */
export type Piece = { kind: 'text'; text: FormattedText } | { kind: 'photos' | 'documents'; files: SentFile[] }

const MAX_FILE = 50_000_000
const MAX_PHOTO = 10_000_000
const MAX_SIDES = 10_000
const MAX_RATIO = 20
const ALBUM = 10
/** One call must not take long, nor much memory. */
const MAX_CALL = 50_000_000
const PHOTO = /^image\/(jpeg|png|webp)$/

/**
 * Splits a message into what is sent by one call each: texts first, then photos, then other files, in albums of up to ten.
 * The same message is always split in the same way.
 */
export function splitMessage(
  message: { body: string | null; customer_id: string | null; source?: string },
  files: SentFile[],
): Piece[] {
  const tooLarge = files.filter(({ size }) => size > MAX_FILE)
  const sendable = files.filter(({ size }) => size <= MAX_FILE)
  const links = tooLarge.map(({ file_url }) => file_url).join('\n')
  const { text, entities } = toEntities(message)
  const texts = splitText({ text: [text, links].filter(Boolean).join('\n'), entities })
  return [
    ...texts.map((part): Piece => ({ kind: 'text', text: part })),
    ...inAlbums(sendable.filter(isPhoto)).map((album): Piece => ({ kind: 'photos', files: album })),
    ...inAlbums(sendable.filter((file) => !isPhoto(file))).map((album): Piece => ({ kind: 'documents', files: album })),
  ]
}

/** The number of messages that a piece becomes in Telegram. */
export function lengthOf(piece: Piece): number {
  return piece.kind === 'text' ? 1 : piece.files.length
}

function isPhoto({ content_type, size, width, height }: SentFile): boolean {
  if (!PHOTO.test(content_type) || size > MAX_PHOTO) return false
  if (!width || !height) return true
  return width + height <= MAX_SIDES && Math.max(width, height) / Math.min(width, height) <= MAX_RATIO
}

function inAlbums(files: SentFile[]): SentFile[][] {
  const albums: SentFile[][] = []
  let size = 0
  for (const file of files) {
    const album = albums.at(-1)
    size += file.size
    if (album && album.length < ALBUM && size <= MAX_CALL) album.push(file)
    else {
      albums.push([file])
      size = file.size
    }
  }
  return albums
}
