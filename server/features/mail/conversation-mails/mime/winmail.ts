import { decodeText } from './charsets.ts'
import { decompressRtf, readRtf } from './rtf-text.ts'

const SIGNATURE = 0x223e9f78
const FILES_LIMIT = 200
const PROPERTIES_LIMIT = 2_000
/** Attributes of the file format. */
const BODY = 0x0002_800c
const MESSAGE_PROPERTIES = 0x0006_9003
const CODE_PAGE = 0x0006_9007
const NEW_FILE = 0x0006_9002
const FILE_TITLE = 0x0001_8010
const FILE_DATA = 0x0006_800f
const FILE_PROPERTIES = 0x0006_9005

/** What Outlook packs into `winmail.dat`. */
export interface Winmail {
  text: string | undefined
  html: string | undefined
  files: { filename: string; type: string | undefined; content_id: string | undefined; bytes: Buffer }[]
}

/** Unpacks a `winmail.dat` (TNEF) as far as it is whole; undefined if it is none. */
export function readWinmail(bytes: Buffer): Winmail | undefined {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== SIGNATURE) return undefined
  const mail: Winmail = { text: undefined, html: undefined, files: [] }
  let charset = 'windows-1252'
  let file: Winmail['files'][number] | undefined
  for (const { id, data } of attributesOf(bytes)) {
    if (id === CODE_PAGE && data.length >= 4) charset = charsetOf(data.readUInt32LE(0))
    else if (id === BODY) mail.text = textOf(data, charset)
    else if (id === MESSAGE_PROPERTIES) readBody(mail, propertiesOf(data), charset)
    else if (id === NEW_FILE && mail.files.length < FILES_LIMIT) {
      file = { filename: '', type: undefined, content_id: undefined, bytes: Buffer.alloc(0) }
      mail.files.push(file)
    } else if (file && id === FILE_TITLE) file.filename ||= textOf(data, charset)
    else if (file && id === FILE_DATA) file.bytes = data
    else if (file && id === FILE_PROPERTIES) readFile(file, propertiesOf(data), charset)
  }
  return { ...mail, files: mail.files.filter((attachment) => attachment.bytes.length > 0) }
}

function charsetOf(page: number): string {
  return page === 65_001 ? 'utf-8' : page === 1_200 ? 'utf-16le' : page === 0 ? 'windows-1252' : `cp${page}`
}

function* attributesOf(bytes: Buffer): Generator<{ id: number; data: Buffer }> {
  let at = 6
  while (at + 9 <= bytes.length) {
    const id = bytes.readUInt32LE(at + 1)
    const length = bytes.readUInt32LE(at + 5)
    yield { id, data: bytes.subarray(at + 9, at + 9 + length) }
    at += 9 + length + 2
  }
}

interface Property {
  id: number
  type: number
  data: Buffer
}

const TYPE_SIZES: Record<number, number> = { 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16 }
const STRING = 0x1e
const UNICODE = 0x1f

/** The properties of a message or a file, until one of an unknown type. */
function propertiesOf(bytes: Buffer): Property[] {
  const properties: Property[] = []
  const count = bytes.length >= 4 ? Math.min(bytes.readUInt32LE(0), PROPERTIES_LIMIT) : 0
  let at = 4
  const number = () => {
    if (at + 4 > bytes.length) return undefined
    at += 4
    return bytes.readUInt32LE(at - 4)
  }
  for (let read = 0; read < count; read++) {
    const head = number()
    if (head === undefined) break
    const [type, id] = [head & 0xfff, head >>> 16]
    if (id >= 0x8000) {
      at += 16
      const isNamed = number() === 1
      const length = number() ?? 0
      if (isNamed) at += padded(length)
    }
    const size = TYPE_SIZES[type]
    const isMany = (head & 0x1000) !== 0 || size === undefined
    const values = isMany ? (number() ?? 0) : 1
    if (values > PROPERTIES_LIMIT || (size === undefined && ![STRING, UNICODE, 0x0102, 0x000d].includes(type))) break
    for (let value = 0; value < values; value++) {
      const length = size ?? number()
      if (length === undefined || at + length > bytes.length) return properties
      if (value === 0) properties.push({ id, type, data: bytes.subarray(at, at + length) })
      at += padded(length)
    }
  }
  return properties
}

function padded(length: number): number {
  return (length + 3) & ~3
}

function readBody(mail: Winmail, properties: Property[], charset: string): void {
  const find = (id: number) => properties.find((property) => property.id === id)
  const page = find(0x3fde)?.data
  const own = page && page.length >= 4 ? charsetOf(page.readUInt32LE(0)) : charset
  const [text, html, rtf] = [find(0x1000), find(0x1013), find(0x1009)]
  if (text) mail.text = readString(text, own)
  if (html) mail.html = html.type === 0x0102 ? textOf(html.data, own) : readString(html, own)
  const unpacked = rtf && decompressRtf(rtf.data)
  if (!unpacked || mail.html) return
  const read = readRtf(unpacked)
  if (read.isHtml) mail.html = read.text
  else mail.text ??= read.text.trim()
}

function readFile(file: Winmail['files'][number], properties: Property[], charset: string): void {
  const text = (id: number) => {
    const property = properties.find((candidate) => candidate.id === id)
    return property && readString(property, charset)
  }
  file.filename = text(0x3707) || file.filename || text(0x3704) || text(0x3001) || ''
  file.type = text(0x370e)
  file.content_id = text(0x3712)
  const data = properties.find(({ id }) => id === 0x3701)
  // A message or a document inside is an object, which begins with the id of its kind.
  if (data) file.bytes = data.type === 0x000d ? data.data.subarray(16) : data.data
}

function readString({ type, data }: Property, charset: string): string {
  return textOf(data, type === UNICODE ? 'utf-16le' : charset)
}

function textOf(data: Buffer, charset: string): string {
  return decodeText(data, charset).replace(/\0[\s\S]*$/, '')
}
