/** How a call ended, as far as callers need to know. */
export type RequestOutcome<Answer = unknown> =
  | { kind: 'done'; answer: Answer }
  /** No response, or one that asks to wait, with seconds if the server named them. */
  | { kind: 'later'; seconds?: number }
  | { kind: 'signed out' }
  /** `fields` are the names of the invalid fields. */
  | { kind: 'refused'; status: number; fields: string[] }

const TIMEOUT_MS = 20_000
/** Timeout, conflict, too early, too many requests: the same request may succeed later. */
const WORTH_REPEATING = [408, 409, 425, 429]

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The secret of the visitor's session. */
  token?: string
  query?: Record<string, string | number | undefined>
  body?: unknown
}

/** Calls the server of the window's own origin. Never throws. */
export async function request<Answer>(
  path: string,
  { method = 'GET', token, query, body }: Call,
): Promise<RequestOutcome<Answer>> {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), TIMEOUT_MS)
  try {
    const response = await fetch(`${path}${entries.length ? `?${search}` : ''}`, {
      method,
      credentials: 'omit',
      signal: ending.signal,
      headers: {
        ...(token && { authorization: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return toOutcome(response.status, await response.json(), Number(response.headers.get('retry-after')))
  } catch {
    // An unreadable response probably comes from a proxy, so the call is worth repeating.
    return { kind: 'later' }
  } finally {
    clearTimeout(timer)
  }
}

/** The outcome for a status. `retryAfter` is in seconds, 0 or NaN if the server named none. */
export function toOutcome<Answer>(status: number, body: unknown, retryAfter: number): RequestOutcome<Answer> {
  if (status < 300) return { kind: 'done', answer: body as Answer }
  if (status === 401) return { kind: 'signed out' }
  if (status >= 500 || status < 400 || WORTH_REPEATING.includes(status)) {
    return { kind: 'later', ...(retryAfter > 0 && { seconds: retryAfter }) }
  }
  const { error } = body as { error?: { errors?: Record<string, string[]> } }
  return { kind: 'refused', status, fields: Object.keys(error?.errors ?? {}) }
}
