import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import type { Caller } from '#server/platform/caller.ts'
import { openFanOut } from '#server/platform/fan-out.ts'
import { Realtime } from '#server/platform/realtime/realtime.ts'
import type { RealtimeSettings } from '#server/platform/realtime/settings.ts'
import { bakery, type Diary } from './bakery.ts'

export interface RealtimeNode {
  realtime: Realtime
  /** For Phoenix clients, which add `/websocket`. */
  url: string
  port: number
  diary: Diary
  isBusHealthy(): boolean
  stop(): Promise<void>
}

interface Options {
  redisUrl?: string
  settings?: Partial<RealtimeSettings>
  port?: number
}

/**
 * An HTTP server with the bakery's sockets and nothing else. The parameter `as` is the caller: a user's number, a
 * session's name, `nobody` to be refused, or `fault` for a server error.
 */
export async function startRealtimeNode({ redisUrl, settings, port = 0 }: Options = {}): Promise<RealtimeNode> {
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const { close, ...fanOut } = await openFanOut(redisUrl, log)
  const diary: Diary = []
  const addressOf = () => '127.0.0.1'
  const realtime = new Realtime({
    ...fanOut,
    log,
    settings,
    addressOf,
    authenticate: async ({ as, token }) => whoIs(token ?? as),
  })
  const server = createServer((_request, response) => response.writeHead(404).end('no such page'))
  realtime.attach(server, bakery(realtime, diary))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: taken } = server.address() as AddressInfo
  return {
    realtime,
    url: `ws://127.0.0.1:${taken}/socket`,
    port: taken,
    diary,
    isBusHealthy: () => fanOut.bus.isHealthy(),
    async stop() {
      await realtime.drain()
      await new Promise((resolve) => server.close(resolve))
      close()
    },
  }
}

function whoIs(as: string | undefined): Caller | 'refused' {
  const address = '127.0.0.1'
  if (as === 'nobody') return 'refused'
  if (as === 'fault') throw new Error('The guest book is lost.')
  if (!as) return { kind: 'anonymous', address }
  const user_id = Number(as.split('-')[0])
  return { kind: 'user', address, account_id: 'bakery', user_id, role: 'user', session_id: as }
}
