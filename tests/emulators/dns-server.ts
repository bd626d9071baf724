import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** For DNS_SERVERS. */
  address: string
  /** TXT records by name; a test sets them. Names that are not here do not exist. */
  texts: Map<string, string[]>
  close(): Promise<void>
}

const HEADER_BYTES = 12
const ANSWERED = 0x8180
const NO_SUCH_NAME = 3
const TXT = 16

/** A name server that knows TXT records only. */
export async function startDnsServer(): Promise<DnsServer> {
  const texts = new Map<string, string[]>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(answer(query, texts), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function answer(query: Buffer, texts: Map<string, string[]>): Buffer {
  const { name, end } = readName(query)
  const question = query.subarray(HEADER_BYTES, end + 4)
  const stored = texts.get(name)
  const isText = query.readUInt16BE(end) === TXT
  const records = isText ? (stored ?? []) : []
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(ANSWERED | (stored ? 0 : NO_SUCH_NAME), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question, ...records.map(textRecord)])
}

/** The name of the question, and where it ends. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** A record for the name of the question, to which 0xc00c points. */
function textRecord(text: string): Buffer {
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(13)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(bytes.length + 1, 10)
  head.writeUInt8(bytes.length, 12)
  return Buffer.concat([head, bytes])
}
