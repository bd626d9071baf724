import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Paths that the proxy answers itself, on every website. */
const SCRIPT = '/--console.js'
const MESSAGE = '/--message'

/** Runs in pages: reports what the console shows as the address of a picture, which the pages' policies allow. */
function report(path: string) {
  const send = (text: string) => {
    new Image().src = `${path}?${encodeURIComponent(text)}`
  }
  for (const level of ['error', 'warn'] as const) {
    const write = console[level]
    console[level] = (...values: unknown[]) => {
      send(values.map(String).join(' '))
      write.apply(console, values)
    }
  }
  addEventListener('error', ({ message }) => message && send(message))
  addEventListener('unhandledrejection', ({ reason }) => send(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    send(`${violatedDirective} blocks ${blockedURI}`),
  )
}

/**
 * A proxy for a browser whose driver does not pass on its console: adds a script to every page that does.
 *
 * @returns its port, and the messages, to which each new one is added.
 */
export async function startConsoleProxy(): Promise<{ port: number; messages: string[]; close(): Promise<void> }> {
  const messages: string[] = []
  const sockets = new Set<Duplex>()
  const proxy = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/')
    if (url.pathname === SCRIPT) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' })
      response.end(`(${report})(${JSON.stringify(MESSAGE)})`)
    } else if (url.pathname === MESSAGE) {
      messages.push(decodeURIComponent(url.search.slice(1)))
      response.writeHead(204).end()
    } else forward(url, incoming, response)
  })
  // Sockets are tunnelled.
  proxy.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(incoming.url ?? '') ?? []
    const server = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n')
      server.write(head)
      join(client, server)
    })
    trackPair(sockets, client, server)
  })
  proxy.on('upgrade', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const url = new URL(incoming.url ?? '/')
    const server = connect(Number(url.port), url.hostname, () => {
      const headers = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      server.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${headers.join('')}\r\n`)
      server.write(head)
      join(client, server)
    })
    trackPair(sockets, client, server)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  return {
    port: (proxy.address() as AddressInfo).port,
    messages,
    close: () =>
      new Promise((closed) => {
        proxy.close(() => closed())
        proxy.closeAllConnections()
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function join(first: Duplex, second: Duplex) {
  first.pipe(second).pipe(first)
}

/** Neither side outlives the other, and a broken connection is no error of the proxy. */
function trackPair(sockets: Set<Duplex>, client: Duplex, server: Socket) {
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(socket)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }
}

function forward(url: URL, incoming: IncomingMessage, response: ServerResponse) {
  const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
  // A connection that was kept may be closed by the server just now, and the browser would not ask again.
  const outgoing = request(url, { method: incoming.method, headers, agent: false }, async (answer) => {
    const isPage = answer.headers['content-type']?.startsWith('text/html') && !answer.headers['content-encoding']
    if (!isPage) {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      return
    }
    const chunks = await answer.toArray().catch(() => [])
    const html = Buffer.concat(chunks)
      .toString()
      .replace(/<head[^>]*>/i, `$&<script src="${SCRIPT}"></script>`)
    const { 'content-length': _, ...others } = answer.headers
    response.writeHead(answer.statusCode ?? 502, others).end(html)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
}
