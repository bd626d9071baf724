import { test as base, expect } from 'vitest'
import { addressOf, type CallInput } from '#contract/call.ts'
import type { Answer, Endpoint } from '#contract/endpoint.ts'
import type { Feature } from '#server/feature.ts'
import type { ConnectionTiming } from '#server/platform/outbound/connection-timing.ts'
import { type Json, startTestServer, type TestServer } from './server.ts'
import { TestSocket } from './sockets.ts'
import { createWorld, type World } from './world.ts'

/** Makes calls of the contract as somebody, and returns the typed answer. */
export type Caller = <E extends Endpoint>(endpoint: E, ...input: InputOf<E>) => Promise<Answer<E>>

/** Optional where a call takes no input. */
type InputOf<E extends Endpoint> = object extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>]

/** A refused call. Its message is the one of the server. */
export class Refused extends Error {
  readonly status: number
  readonly errors: Record<string, unknown> | undefined
  readonly reason: string | undefined
  /** The whole response body. */
  readonly body: Json

  constructor(status: number, body: Json) {
    super(String(body?.error?.message ?? body))
    this.status = status
    this.errors = body?.error?.errors
    this.reason = body?.error?.reason
    this.body = body
  }
}

export interface Callers {
  /** The admin of Acme. */
  ada: Caller
  /** A member of Acme. */
  ben: Caller
  /** The admin of another company. */
  olga: Caller
  /** A customer of Acme in her browser. */
  carla: Caller
  /** A caller without token. */
  anybody: Caller
  /** A caller with this token. */
  holder(token: string | undefined): Caller
}

/** Opens a socket, such as `openSocket({ token: world.ben.token })`, which is closed after the test. */
export type OpenSocket = (params?: Record<string, string>) => TestSocket

/** Settings of the server; a file overrides them by `test.extend('env', { scope: 'file' }, { … })`. */
const NO_SETTINGS: Record<string, string> = {}
/** One more feature of the server, and shorter time limits of its connections, overridden in the same way. */
const NO_EXTRA: { feature?: Feature; timing?: Partial<ConnectionTiming> } = {}

/**
 * `test('…', async ({ as, world, server }) => …)`: a server with the named world for the tests of a file, started for the
 * first one and closed after the last.
 */
export const test = base
  .extend('env', { scope: 'file' }, NO_SETTINGS)
  .extend('extra', { scope: 'file' }, NO_EXTRA)
  .extend('server', { scope: 'file' }, async ({ env, extra }, { onCleanup }): Promise<TestServer> => {
    const server = await startTestServer(env, extra.feature, undefined, undefined, extra.timing)
    onCleanup(() => server.close())
    return server
  })
  .extend('world', { scope: 'file' }, ({ server }): Promise<World> => createWorld(server))
  .extend('as', { scope: 'file' }, ({ server, world }): Callers => {
    const holder = (token: string | undefined) => callerOf(server, () => token)
    // Tokens are read at each call, because a test may renew somebody's.
    const person = (name: 'ada' | 'ben' | 'olga' | 'carla') => callerOf(server, () => world[name].token)
    return {
      ada: person('ada'),
      ben: person('ben'),
      olga: person('olga'),
      carla: person('carla'),
      anybody: holder(undefined),
      holder,
    }
  })
  .extend('openSocket', ({ server }, { onCleanup }): OpenSocket => {
    const opened: TestSocket[] = []
    onCleanup(() => {
      for (const socket of opened) socket.close()
    })
    return (params) => {
      const socket = new TestSocket(server.url, params)
      opened.push(socket)
      return socket
    }
  })

export { expect }

/** The refusal of a call, for several assertions about it; fails if the call succeeded. */
export async function refusalOf(call: Promise<unknown>): Promise<Refused> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof Refused) return outcome
  throw outcome ?? new Error('The call was not refused')
}

/** The status of a refused call, or 200. */
export async function statusOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof Refused) return error.status
      throw error
    },
  )
}

function callerOf(server: TestServer, readToken: () => string | undefined): Caller {
  return async (endpoint, ...[input]) => {
    const token = readToken()
    const { params, query, body } = input ?? {}
    const address = addressOf(endpoint.path, params, query)
    const answer = await server.request(endpoint.method, address, { ...(token && { token }), body })
    if (answer.status >= 400) throw new Refused(answer.status, answer.body)
    expect(answer.status, endpoint.summary).toBe(endpoint.status ?? 200)
    return answer.body
  }
}
