import { authSessions, type Credentials, RENEW_AFTER_MINUTES } from '#contract/auth-sessions.ts'
import { ApiError, send } from '../http/request.ts'
import { newId } from '../new-id.ts'
import { storage } from '../storage.ts'
import { withLock } from './tab-lock.ts'

const KEY = 'parley.session'
const RENEW_AFTER_MS = RENEW_AFTER_MINUTES * 60_000
/** The renew token that was last sent, and the retry key beside it. */
const RENEWAL = 'parley.renewal'
const RETRY_MS = 30_000
/** A page that is loaded twice in a row must not spend its renew token and lose the answer: see `startSession`. */
const SETTLE_MS = 3_000
const FRESH_MS = 60_000

/** What opens the server to this browser. One record, so that tabs never see half of a renewal. */
export interface Tokens {
  account_id: string
  user_id: number
  token: string
  renew_token: string
  /** When the pair was given out, in milliseconds since 1970. */
  renewed_at: number
}

export type Renewal = 'renewed' | 'refused' | 'unreachable'

const listeners = new Set<() => void>()
let lastRead: { text: string | null; tokens: Tokens | null } = { text: null, tokens: null }

/** The stored tokens, or null when nobody is signed in. The same object as long as nothing changed. */
export function readTokens(): Tokens | null {
  const text = storage.getItem(KEY)
  if (text !== lastRead.text) lastRead = { text, tokens: parseTokens(text) }
  return lastRead.tokens
}

let wasEnded = false

/** Whether the session ended while this page was open, and not because somebody logged out here. */
export function wasSignedOut(): boolean {
  return wasEnded
}

export function keepTokens({ account_id, user_id, token, renew_token }: Credentials) {
  const tokens: Tokens = { account_id, user_id, token, renew_token, renewed_at: Date.now() }
  storage.setItem(KEY, JSON.stringify(tokens))
  storage.removeItem(RENEWAL)
  wasEnded = false
  keepCookie(token)
  for (const listener of listeners) listener()
}

/** `isEnded` when nobody asked for it here: the server no longer knows the session. */
export function forgetTokens(isEnded = false) {
  storage.removeItem(KEY)
  storage.removeItem(RENEWAL)
  wasEnded = isEnded
  keepCookie('')
  for (const listener of listeners) listener()
}

/** Calls back when tokens change, in this tab or in another one. Returns how to stop. */
export function onTokensChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== KEY && event.key !== null) return
    wasEnded = !readTokens()
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

let renewing: Promise<Renewal> | undefined

/**
 * Trades the renew token for a new pair. Renew tokens work once, so only one tab does it; the others find the new pair
 * in storage. `spent` is the access token that no longer serves.
 */
export function renewSession(spent: string): Promise<Renewal> {
  renewing ??= withLock('parley.renewal', () => renewUnlessDone(spent)).finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renewUnlessDone(spent: string): Promise<Renewal> {
  const tokens = readTokens()
  if (!tokens) return 'refused'
  if (tokens.token !== spent) return 'renewed'
  try {
    const { data } = await send(
      authSessions.renew,
      { body: { retry_key: retryKeyFor(tokens.renew_token) } },
      tokens.renew_token,
    )
    if (readTokens()?.renew_token === tokens.renew_token) keepTokens(data)
    return 'renewed'
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) return 'unreachable'
    console.error('Invalid session', error)
    if (readTokens()?.renew_token !== tokens.renew_token) return readTokens() ? 'renewed' : 'refused'
    forgetTokens(true)
    return 'refused'
  }
}

/** Kept before asking: a page that is closed before the answer comes finds the new pair by asking again with the same. */
function retryKeyFor(renew_token: string): string {
  const kept = storage.getItem(RENEWAL)
  if (kept?.startsWith(`${renew_token} `)) return kept.slice(renew_token.length + 1)
  const key = newId()
  storage.setItem(RENEWAL, `${renew_token} ${key}`)
  return key
}

/**
 * Makes the stored session usable: at once when its tokens are still good, else after renewing it. From then on it is
 * renewed in the background, a few seconds after the start and every 20 minutes, by whichever tab comes first.
 * Returns how to stop.
 */
export async function startSession(now = Date.now): Promise<() => void> {
  const tokens = readTokens()
  if (tokens && now() - tokens.renewed_at > RENEW_AFTER_MS) await renewSession(tokens.token)
  const started = now()
  let timer: ReturnType<typeof setTimeout>
  const schedule = () => {
    clearTimeout(timer)
    const current = readTokens()
    if (!current) return
    // Or from later, by a clock that was set back since.
    const isFromBefore = Math.abs(started - current.renewed_at) > FRESH_MS
    const wait = isFromBefore ? started + SETTLE_MS - now() : current.renewed_at + RENEW_AFTER_MS - now()
    timer = setTimeout(() => renew(current.token), Math.max(wait, 0))
  }
  const renew = async (token: string) => {
    const renewal = await renewSession(token)
    if (renewal === 'unreachable') timer = setTimeout(() => renew(token), RETRY_MS)
    else schedule()
  }
  const stop = onTokensChange(schedule)
  schedule()
  return () => {
    clearTimeout(timer)
    stop()
  }
}

/** The widget settings page takes its token from a cookie. */
function keepCookie(token: string, page: { cookie: string } = document) {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const age = token ? RENEW_AFTER_MS / 500 : 0
  page.cookie = `token=${encodeURIComponent(token)}; path=/widget/; SameSite=Strict; max-age=${age}${secure}`
}

function parseTokens(text: string | null): Tokens | null {
  if (!text) return null
  try {
    const value: Partial<Tokens> = JSON.parse(text)
    const { account_id, user_id, token, renew_token, renewed_at } = value
    if (typeof token !== 'string' || typeof renew_token !== 'string') return null
    if (typeof account_id !== 'string' || typeof user_id !== 'number') return null
    return { account_id, user_id, token, renew_token, renewed_at: Number(renewed_at) || 0 }
  } catch {
    return null
  }
}
