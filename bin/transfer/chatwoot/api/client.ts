import { setTimeout as wait } from 'node:timers/promises'
import { messageOf } from '#server/errors.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { AddressRefused } from '#server/platform/outbound/guard.ts'
import type { Outbound, OutboundResponse } from '#server/platform/outbound/outbound.ts'

/** What the API answers: JSON of any shape, which is read leniently because it differs between versions. */
// biome-ignore lint/suspicious/noExplicitAny: each field is checked where it becomes a row
export type Json = any

/** Chatwoot's API for one account, as its administrator sees it. */
export interface ChatwootApi {
  /**
   * The answer to a request below the account's address.
   * @returns undefined if there is no such thing, null if the server fails at it again and again
   * @throws OperatorError if the token is refused or the server cannot be reached
   */
  get(path: string, query?: Record<string, string | number>): Promise<Json | null | undefined>
}

const TIMEOUT_MS = 60_000
/** A thousand messages at once, among them mails. */
const MAX_BYTES = 100_000_000
const TRIES = 4
/** A fault inside the server rarely goes away; one of its proxy or its load does. */
const TRIES_AT_FAULTS = 2
/** Chatwoot counts requests by the minute. */
const LIMITED_MS = 60_000

/** Waits before the next tries, in milliseconds. */
const PAUSES_MS = [500, 2_000, 8_000]

export function createApi(outbound: Outbound, address: string, token: string): ChatwootApi {
  return {
    async get(path, query = {}) {
      const url = new URL(path ? `${address}/${path}` : address)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
      const response = await tryRepeatedly(() =>
        outbound.request(url.href, {
          headers: { api_access_token: token, accept: 'application/json' },
          timeout_ms: TIMEOUT_MS,
          max_bytes: MAX_BYTES,
        }),
      )
      if (response.status === 401 || response.status === 403) {
        if (!isOptional(path)) throw refused()
        return undefined
      }
      if (response.status >= 500) return null
      return response.ok ? parse(response) : undefined
    },
  }
}

/** Parts that the paid edition has, or only newer versions. */
function isOptional(path: string): boolean {
  return !/^(profile|agents|inboxes|contacts|conversations)?$/.test(path)
}

function refused(): OperatorError {
  return new OperatorError(
    'Chatwoot refuses the token. Copy the access token of an administrator of that account (in Chatwoot: Profile settings, at the end of the page).',
  )
}

async function tryRepeatedly(request: () => Promise<OutboundResponse>): Promise<OutboundResponse> {
  for (let tried = 1; ; tried++) {
    const response = await request().catch((error) => {
      if (error instanceof AddressRefused) {
        throw new OperatorError(
          `${error.message} If the old server is in your own network, name it in REACHABLE_HOSTS.`,
        )
      }
      if (tried < TRIES) return undefined
      throw new OperatorError(
        `Chatwoot does not answer (${messageOf(error)}). Nothing was changed. Check the address, and run the import again.`,
      )
    })
    if (response && response.status < 500 && response.status !== 429) return response
    if (response && tried >= (response.status === 500 ? TRIES_AT_FAULTS : TRIES)) return response
    await wait(response?.status === 429 ? secondsToWait(response) * 1_000 : PAUSES_MS[tried - 1])
  }
}

/** @returns what the server asks for, a minute at most */
function secondsToWait({ headers }: OutboundResponse): number {
  const asked = Number(headers.get('retry-after'))
  return Math.min(asked > 0 ? asked : LIMITED_MS / 1_000, LIMITED_MS / 1_000)
}

function parse({ bytes, url }: OutboundResponse): Json {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new OperatorError(`${url} answers no JSON. Is this the address of a Chatwoot server?`)
  }
}
