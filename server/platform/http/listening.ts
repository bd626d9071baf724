import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { OperatorError } from '../operator-error.ts'

/**
 * Connections that may wait to be accepted. When a server has died, thousands of chats reconnect to the others at the
 * same moment; with Node's 511, most would try again only after one, three or seven seconds. The system may allow less.
 */
const BACKLOG = 4096
/**
 * Node accepts one connection from each listening socket in a turn of the event loop, so with a single one a server
 * spends much of its time on turns in which there is little to do. Linux lets several sockets share a port.
 */
const LISTENING_SOCKETS = process.platform === 'linux' ? 8 : 1

interface ListenAddress {
  port: number
  host: string
}

/** Opens the port; returns the full address. Throws OperatorError if `port` or `host` is unavailable. */
export async function listen(app: FastifyInstance, { port, host }: ListenAddress): Promise<string> {
  try {
    const isShared = LISTENING_SOCKETS > 1
    if (isShared && port > 0) await explainTakenPort({ port, host })
    return await app.listen({ port, host, backlog: BACKLOG, ...(isShared && { reusePort: true }) })
  } catch (error) {
    const complaint = COMPLAINTS[String((error as NodeJS.ErrnoException).code)]
    throw complaint ? new OperatorError(complaint({ port, host })) : error
  }
}

/** Sockets that share their port would share it with those of another server as well. */
async function explainTakenPort(address: ListenAddress): Promise<void> {
  const probe = createServer().listen(address)
  await once(probe, 'listening')
  await close(probe)
}

/** Opens further sockets on the server's port once it listens. Without them it only accepts more slowly. */
export function acceptMany(app: FastifyInstance): void {
  const others: Server[] = []
  app.addHook('onListen', async () => {
    const { port, address: host } = app.server.address() as AddressInfo
    for (let i = 1; i < LISTENING_SOCKETS; i++) {
      const other = createServer((socket) => app.server.emit('connection', socket))
      // Node below 22.12 does not know the option, so the port counts as taken.
      other.on('error', (error) => app.log.debug({ err: error }, 'Another listening socket could not be opened'))
      other.listen({ port, host, backlog: BACKLOG, reusePort: true })
      others.push(other)
    }
  })
  // The server itself only waits for connections of its own socket.
  app.addHook('preClose', async () => {
    const hurry = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS)
    await Promise.all(others.splice(0).map(close))
    clearInterval(hurry)
  })
}

/** A connection becomes idle once its request is answered. */
const CLOSE_IDLE_MS = 50

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Clients that never finish their requests must not keep the server from stopping. */
export function stopInTime(app: FastifyInstance, stopMs: number) {
  app.addHook('preClose', async () => {
    const hurry = setTimeout(() => app.server.closeAllConnections(), stopMs)
    app.server.once('close', () => clearTimeout(hurry))
  })
}

const notOurs = ({ host }: { host: string }) =>
  `HOST must be an address of this machine, but it is "${host}". Example: HOST=127.0.0.1`

const COMPLAINTS: Record<string, (at: ListenAddress) => string> = {
  EADDRINUSE: ({ port }) =>
    `PORT must be free, but another program listens on ${port}: stop it, or choose another. Example: PORT=${(port % 65535) + 1}`,
  EACCES: ({ port }) => `PORT must be a port that this user may open, but it is ${port}. Example: PORT=4000`,
  EADDRNOTAVAIL: notOurs,
  ENOTFOUND: notOurs,
  EAI_AGAIN: notOurs,
}
