import { Refusal } from '../../errors.ts'
import { Later, Never, Reconnect } from '../../integration.ts'
import { AddressRefused } from '../../platform/outbound/guard.ts'
import type { Outbound, OutboundResponse } from '../../platform/outbound/outbound.ts'
import { OutboundFailed } from '../../platform/outbound/outbound.ts'
import { sentenceOf } from './health.ts'

/** One call of a vendor's API. */
export interface VendorCall {
  /** The vendor's name, as people know it. */
  vendor: string
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  token?: string
  headers?: Record<string, string>
  json?: unknown
  /** In place of JSON: a form, or bytes with their type in the headers. */
  body?: Buffer | URLSearchParams
  timeout_ms?: number
  max_bytes?: number
  /** How many redirects are followed; none by default. */
  redirects?: number
  /** The address was entered by somebody, and is not from the operator's settings: it must be a public one. */
  is_guarded?: boolean
}

export interface VendorAnswer {
  status: number
  headers: Headers
  /** Parsed; undefined where there is none. */
  body: unknown
}

/** The vendor did not take the access token. */
export class TokenRefused extends Reconnect {}

/** The vendor gave no access token at this moment. What it was wanted for has not begun. */
export class NoTokenGiven extends OutboundFailed {}

/** The vendor refused what was asked, for good. */
export class VendorRefused extends Never {
  readonly status: number
  readonly body: unknown
  constructor(sentence: string, { status, body }: { status: number; body: unknown }) {
    super(sentence)
    this.status = status
    this.body = body
  }
}

const LONGEST_REST_MS = 3_600_000
const USUAL_REST_MS = 60_000

/**
 * Makes a call and reads its answer.
 * @throws Later when the vendor asks for a rest or is at fault, TokenRefused, VendorRefused for what it does not take; and
 *   OutboundFailed where nobody knows whether something was changed
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
      // Reading may be done again; what was written may have arrived.
      if (method === 'GET' && error instanceof OutboundFailed) throw new Later(error.message)
      throw error
    })
  const answer = { status: response.status, headers: response.headers, body: readBody(response) }
  refuse(vendor, method, answer)
  return answer
}

function readBody({ bytes, headers }: OutboundResponse): unknown {
  if (bytes.length === 0) return undefined
  const text = bytes.toString('utf8')
  if (!/json/.test(headers.get('content-type') ?? '')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function refuse(vendor: string, method: string, answer: VendorAnswer): void {
  const { status, headers, body } = answer
  if (status < 400) return
  const isSpent = status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0')
  if (isSpent || (status === 403 && headers.has('retry-after'))) {
    throw new Later(`${vendor} asks us to wait.`, { at: restUntil(headers), restsAll: true })
  }
  if (status >= 500) {
    const sentence = `${vendor} does not work as it should (${status}). It is tried again by itself.`
    // What was to be made may have been made all the same.
    throw method === 'POST' ? new OutboundFailed(sentence) : new Later(sentence)
  }
  const said = messageIn(body)
  const words = said ? `: ${said.replace(/[.!]*$/, '.')}` : ` (${status}).`
  if (status === 401) throw new TokenRefused(`${vendor} refused the token${words} Connect it again.`)
  throw new VendorRefused(`${vendor} refused it${words}`, { status, body })
}

/** Seconds or a date, or in GitHub's words the second in which it counts anew. */
function restUntil(headers: Headers): Date {
  const after = headers.get('retry-after')
  const reset = Number(headers.get('x-ratelimit-reset'))
  const seconds = Number(after ?? Number.NaN)
  const asked = Number.isFinite(seconds)
    ? Date.now() + seconds * 1000
    : after
      ? Date.parse(after)
      : reset > 0
        ? reset * 1000
        : Number.NaN
  const at = Number.isFinite(asked) ? asked : Date.now() + USUAL_REST_MS
  return new Date(Math.min(Math.max(at, Date.now() + 1000), Date.now() + LONGEST_REST_MS))
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { message, error, errors } = body as { message?: unknown; error?: unknown; errors?: unknown }
  const [first] = Array.isArray(errors) ? (errors as { message?: unknown }[]) : []
  const inner = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error
  return [message, inner, first?.message].find((one): one is string => typeof one === 'string')?.slice(0, 300)
}

/** What went wrong at the other side, as an answer to whoever asked us. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error
  if (error instanceof Reconnect) return new Refusal(422, error.message, 'broken')
  if (error instanceof Never || error instanceof AddressRefused) return new Refusal(422, error.message)
  if (error instanceof Later || error instanceof OutboundFailed)
    return new Refusal(422, sentenceOf(error), 'unreachable')
  return error
}

/** Does what somebody waits for. @throws Refusal that tells them what went wrong at the other side */
export async function runForCaller<Answer>(work: () => Promise<Answer>, tell = asRefusal): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    throw tell(error)
  }
}

/**
 * Does for somebody who waits what should not be done twice.
 * @throws Refusal; where nobody knows whether it was done, it says so by `doubt`, such as “The issue may have been created”
 */
export async function runOnceForCaller<Answer>(
  vendor: string,
  doubt: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  return runForCaller(work, (error) => {
    const sentence = `${vendor} did not answer as it should. ${doubt} all the same: look there before you try again.`
    const isUnknown = error instanceof OutboundFailed && !(error instanceof NoTokenGiven)
    return isUnknown ? new Refusal(422, sentence, 'unreachable') : asRefusal(error)
  })
}
