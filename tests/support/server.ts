import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import pino, { type Logger } from 'pino'
import { inject } from 'vitest'
import { readConfig } from '#server/config.ts'
import type { ConnectionTiming } from '#server/platform/outbound/connection-timing.ts'
import { type Server, startServer } from '#server/start.ts'
import { type FreshDatabase, freshWorld, WORLD } from './database.ts'

/** A response, untyped for tests; the server checks it against the contract. */
export type Json = ReturnType<typeof JSON.parse>

export interface Answer {
  status: number
  body: Json
  headers: Record<string, unknown>
}

export interface TestServer extends Server {
  database: FreshDatabase
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  close(): Promise<void>
}

interface RequestOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export const KEY = { SECRET_KEY: 'a key that only tests know and may know' }

/** Keeps tests from calling a vendor by accident. */
const NO_VENDORS = Object.fromEntries(
  [
    'GITHUB_API_URL',
    'GOOGLE_OAUTH_URL',
    'GMAIL_API_URL',
    'SHEETS_API_URL',
    'HUBSPOT_API_URL',
    'INTERCOM_API_URL',
    'TWILIO_API_URL',
    'TELEGRAM_API_URL',
    'WHATSAPP_API_URL',
    'PUSH_SERVICE_URL',
  ].map((name) => [name, 'http://127.0.0.1:9']),
)

type Extra = Parameters<typeof startServer>[0]['extra']

/**
 * Starts the whole server on a free port, with a world of its own unless a database is given; every response is checked
 * against the contract.
 */
export async function startTestServer(
  env: Record<string, string> = {},
  extra?: Extra,
  shared?: FreshDatabase,
  log: Logger = pino({ level: process.env.TEST_LOG ?? 'silent' }),
  timing?: Partial<ConnectionTiming>,
): Promise<TestServer> {
  const database = shared ?? (await freshWorld())
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const files = database.template === WORLD && inject('files')
  if (files) await cp(files, join(dataDir, 'files'), { recursive: true })
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMITS: 'off',
    REGISTRATION: 'open',
    DATA_DIR: dataDir,
    ...KEY,
    ...NO_VENDORS,
    ...env,
  })
  const server = await startServer({ config, database: database.connection, log, checkResponses: true, extra, timing })
  return {
    ...server,
    database,
    async request(method, path, { token, body, headers = {} } = {}) {
      const options: InjectOptions = {
        method: method as 'GET',
        url: path,
        headers: { ...headers, ...(token && { authorization: token }) },
        ...(body !== undefined && { payload: body as object }),
      }
      const { statusCode, payload, headers: sent } = await server.app.inject(options)
      return { status: statusCode, body: parse(payload), headers: sent }
    },
    async close() {
      await server.stop()
      if (!shared) await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function parse(payload: string): Json {
  try {
    return JSON.parse(payload)
  } catch {
    return payload
  }
}
