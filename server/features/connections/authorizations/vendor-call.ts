import * as z from 'zod/mini'
import { Refusal } from '../../../errors.ts'
import { ConnectionRevoked, PermanentFailure, RetryLater } from '../../../integration.ts'
import { parseForeignJson } from '../../../platform/json.ts'
import { AddressRefused } from '../../../platform/outbound/guard.ts'
import type { Outbound, OutboundResponse } from '../../../platform/outbound/outbound.ts'
import { OutboundFailed } from '../../../platform/outbound/outbound.ts'
import { sentenceOf } from './health.ts'

/** A call of a vendor's API. */
export interface VendorCall {
  /** The vendor's name as shown to people. */
  vendor: string
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  token?: string
  headers?: Record<string, string>
  json?: unknown
  /** Instead of JSON: a form, or bytes with their type in the headers. */
  body?: Buffer | URLSearchParams
  timeout_ms?: number
  max_bytes?: number
  /** Maximum number of redirects; none by default. */
  redirects?: number
  /** Set if the address was entered by a user instead of the operator: it must be public. */
  is_guarded?: boolean
}

export interface VendorAnswer {
  status: number
  headers: Headers
  /** Parsed; undefined if there is none. */
  body: unknown
}

/** The vendor refused the access token. */
export class TokenRefused extends ConnectionRevoked {}

/** The vendor issued no access token at the moment. The call itself has not begun. */
export class NoTokenGiven extends OutboundFailed {}

/** The vendor refused the request for good. */
export class VendorRefused extends PermanentFailure {
  readonly status: number
  readonly body: unknown
  constructor(sentence: string, { status, body }: { status: number; body: unknown }) {
    super(sentence)
    this.status = status
    this.body = body
  }
}

const MAX_REST_MS = 3_600_000
const USUAL_REST_MS = 60_000

/**
 * Makes a call and reads its response.
 * @throws Later when the vendor asks for a pause or has an error, TokenRefused, VendorRefused for invalid requests; and
 * OutboundFailed when it is unknown whether something was changed
 */
export async function callVendor(outbound: Outbound, call: VendorCall): Promise<VendorAnswer> {
  const { vendor, url, method = 'GET', token, headers = {}, json, body, is_guarded = false, ...limits } = call
  const response = await outbound
    .request(url, {
      ...limits,
      method,
      headers: {
        accept: 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(body && { body }),
      may_be_private: !is_guarded,
    })
    .catch((error: unknown) => {
      // Reading can be repeated; a write may have arrived.
      if (method === 'GET' && error instanceof OutboundFailed) throw new RetryLater(error.message)
      throw error
    })
  const answer = { status: response.status, headers: response.headers, body: readBody(response) }
  assertAccepted({ vendor, method, url }, answer)
  return answer
}

function readBody({ bytes, headers }: OutboundResponse): unknown {
  if (bytes.length === 0) return undefined
  const text = bytes.toString('utf8')
  if (!/json/.test(headers.get('content-type') ?? '')) return text
  return parseForeignJson(text) ?? text
}

function assertAccepted({ vendor, method, url }: VendorCall, answer: VendorAnswer): void {
  const { status, headers, body } = answer
  if (status < 300 || status === 304) return
  if (status < 400) {
    const location = headers.get('location')
    const to = location && URL.parse(location, url)?.origin
    throw new VendorRefused(`${vendor} redirects to ${to || 'another address'}. Enter the address it leads to.`, {
      status,
      body,
    })
  }
  const isSpent = status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0')
  if (isSpent || (status === 403 && headers.has('retry-after'))) {
    throw new RetryLater(`${vendor} limits the number of requests. It will be retried later.`, {
      at: restUntil(headers),
      restsAll: true,
    })
  }
  if (status >= 500) {
    const sentence = `${vendor} returned an error (${status}). It will be retried automatically.`
    // What was to be created may exist nevertheless.
    throw method === 'POST' ? new OutboundFailed(sentence) : new RetryLater(sentence)
  }
  const message = messageIn(body)
  const details = message ? `: ${message.replace(/[.!]*$/, '.')}` : ` (${status}).`
  if (status === 401) throw new TokenRefused(`${vendor} refused the token${details} Connect it again.`)
  throw new VendorRefused(`${vendor} refused it${details}`, { status, body })
}

/** From seconds or a date, or from GitHub's header with the second in which its limit resets. */
function restUntil(headers: Headers): Date {
  const after = headers.get('retry-after')
  const reset = Number(headers.get('x-ratelimit-reset'))
  const seconds = Number(after ?? Number.NaN)
  const retryAt = Number.isFinite(seconds)
    ? Date.now() + seconds * 1000
    : after
      ? Date.parse(after)
      : reset > 0
        ? reset * 1000
        : Number.NaN
  const at = Number.isFinite(retryAt) ? retryAt : Date.now() + USUAL_REST_MS
  return new Date(Math.min(Math.max(at, Date.now() + 1000), Date.now() + MAX_REST_MS))
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { message, error, errors } = body as { message?: unknown; error?: unknown; errors?: unknown }
  const [first] = Array.isArray(errors) ? (errors as { message?: unknown }[]) : []
  const inner = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error
  return [message, inner, first?.message]
    .find((candidate): candidate is string => typeof candidate === 'string')
    ?.slice(0, 300)
}

/** A failure of the other system as a response to our caller. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error
  if (error instanceof ConnectionRevoked) return new Refusal(422, error.message, 'broken')
  // May contain the vendor's own words.
  const details = { is_foreign: true }
  if (error instanceof VendorRefused) return new Refusal(422, error.message, undefined, { details })
  if (error instanceof PermanentFailure || error instanceof AddressRefused) return new Refusal(422, error.message)
  if (error instanceof RetryLater || error instanceof OutboundFailed)
    return new Refusal(422, sentenceOf(error).replace(RETRIED, ' Try again later.'), 'unreachable')
  if (error instanceof z.core.$ZodError) return new Refusal(422, UNEXPECTED, 'unreachable')
  return error
}

/** What the sentence about a failed delivery promises. A person who waits for a call has to try again themselves. */
const RETRIED = / It will be retried (later|automatically)\.$/

/** Something else than the vendor's API is at the address, such as a page that asks people to sign in. */
const UNEXPECTED = 'The other system returned an unexpected response. Check its address.'

/** Does something a caller waits for. @throws Refusal that names the problem of the other system */
export async function runForCaller<Answer>(work: () => Promise<Answer>, convert = asRefusal): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    throw convert(error)
  }
}

/**
 * Does something a caller waits for that must not be done twice.
 * @throws Refusal; if it is unknown whether it was done, with the text `doubt`, such as “The issue may have been
 * created”
 */
export async function runOnceForCaller<Answer>(
  vendor: string,
  doubt: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  return runForCaller(work, (error) => {
    const sentence = `${vendor} returned an unexpected response. ${doubt} anyway: check there before you try again.`
    const isUnknown = error instanceof OutboundFailed && !(error instanceof NoTokenGiven)
    return isUnknown ? new Refusal(422, sentence, 'unreachable') : asRefusal(error)
  })
}
