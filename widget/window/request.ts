/** How a call ended, in the only ways that matter to whoever has to decide what comes next. */
export type Outcome<Answer = unknown> =
  | { kind: 'done'; answer: Answer }
  /** No answer, or one that asks for patience. Seconds are given when the server named them. */
  | { kind: 'later'; seconds?: number }
  | { kind: 'signed out' }
  /** Fields are the names the server complained about. */
  | { kind: 'refused'; status: number; fields: string[] }

const TIMEOUT_MS = 20_000
/** Timeout, conflict, too early, too many: nothing is wrong with what was sent. */
const WORTH_REPEATING = [408, 409, 425, 429]

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The visitor's secret. */
  token?: string
  query?: Record<string, string | number | undefined>
  body?: unknown
}

/** Calls the server that this page came from. Never throws. */
export async function request<Answer>(
  path: string,
  { method = 'GET', token, query, body }: Call,
): Promise<Outcome<Answer>> {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), TIMEOUT_MS)
  try {
    const response = await fetch(`${path}${given.length ? `?${search}` : ''}`, {
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
    // An answer that cannot be read may well come from a proxy on the way, so it says nothing about ours.
    return { kind: 'later' }
  } finally {
    clearTimeout(timer)
  }
}

/** What a status means for the caller. `retryAfter` is in seconds, 0 or NaN when the server named none. */
export function toOutcome<Answer>(status: number, said: unknown, retryAfter: number): Outcome<Answer> {
  if (status < 300) return { kind: 'done', answer: said as Answer }
  if (status === 401) return { kind: 'signed out' }
  if (status >= 500 || status < 400 || WORTH_REPEATING.includes(status)) {
    return { kind: 'later', ...(retryAfter > 0 && { seconds: retryAfter }) }
  }
  const { error } = said as { error?: { errors?: Record<string, string[]> } }
  return { kind: 'refused', status, fields: Object.keys(error?.errors ?? {}) }
}
