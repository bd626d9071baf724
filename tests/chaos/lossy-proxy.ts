import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { SeededRandom } from '../../bin/seed/seeded-random.ts'

interface Losses {
  /** Share of answers that are lost after their request arrived. */
  dropped: number
  /** Share of requests that are sent twice. */
  repeated: number
  /** Milliseconds between two cuts of all sockets. */
  cutEveryMs: number
}

export const LOSSES: Losses = { dropped: 0.3, repeated: 0.1, cutEveryMs: 700 }

/** An unreliable proxy in front of a server: loses answers, repeats requests, cuts sockets, and counts them. */
export async function startLossyProxy(port: number, { dropped, repeated, cutEveryMs }: Losses = LOSSES) {
  const sockets = new Set<Socket>()
  const counts = { requests: 0, dropped: 0, repeated: 0, cut: 0 }
  const chance = new SeededRandom(20_261_121)

  const proxy = createServer(async (incoming, outgoing) => {
    counts.requests++
    const body = await readAll(incoming)
    const times = chance.next() < repeated ? 2 : 1
    if (times === 2) counts.repeated++
    const answers = await Promise.all(Array.from({ length: times }, () => forward(port, incoming, body))).catch(
      () => undefined,
    )
    const answer = answers?.at(-1)
    if (answer && chance.next() >= dropped) return reply(outgoing, answer)
    counts.dropped++
    outgoing.destroy()
  })
  proxy.on('upgrade', (incoming, client: Socket, head) => {
    const upstream = connect(port, '127.0.0.1', () => {
      const headers = incoming.rawHeaders.reduce((text, part, i) => text + part + (i % 2 ? '\r\n' : ': '), '')
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${headers}\r\n`)
      upstream.write(head)
      client.pipe(upstream).pipe(client)
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
  })
  const cutter = setInterval(() => {
    for (const socket of sockets) {
      counts.cut++
      socket.destroy()
    }
  }, cutEveryMs)
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address() as { port: number }
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts,
    close() {
      clearInterval(cutter)
      for (const socket of sockets) socket.destroy()
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

interface Forwarded {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

function forward(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const upstream = request({ port, host: '127.0.0.1', method, path: url, headers }, async (answer) => {
      resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: await readAll(answer) })
    })
    upstream.on('error', reject)
    upstream.end(body)
  })
}

function reply(outgoing: ServerResponse, { status, headers, body }: Forwarded) {
  const { 'transfer-encoding': _, ...rest } = headers
  outgoing.writeHead(status, rest).end(body)
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
