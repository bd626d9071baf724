import { authSessions, type Credentials, RENEW_AFTER_MINUTES } from '#contract/accounts/auth-sessions.ts'
import { ApiError, send } from '../http/request.ts'
import { newId } from '../new-id.ts'
import { storage } from '../storage.ts'
import { withLock } from './tab-lock.ts'

const KEY = 'parley.session'
const RENEW_AFTER_MS = RENEW_AFTER_MINUTES * 60_000
/** The last renew token sent, with its retry key. */
const RENEWAL = 'parley.renewal'
const RETRY_MS = 30_000
/** A page that is reloaded at once must not use up its renew token and lose the response; see `startSession`. */
const SETTLE_MS = 3_000
const FRESH_MS = 60_000

/** The tokens of the session. Stored as one record, so that other tabs never read half of a renewal. */
export interface Tokens {
  account_id: string
  user_id: number
  token: string
  renew_token: string
  /** When the pair was issued, in epoch milliseconds. */
  renewed_at: number
}

export type Renewal = 'renewed' | 'refused' | 'unreachable'

const listeners = new Set<() => void>()
let lastRead: { text: string | null; tokens: Tokens | null } = { text: null, tokens: null }

/** The stored tokens, or null if nobody is signed in. The same object while nothing changes. */
export function readTokens(): Tokens | null {
  const text = storage.getItem(KEY)
  if (text !== lastRead.text) lastRead = { text, tokens: parseTokens(text) }
  return lastRead.tokens
}

let wasEnded = false

/** Whether the session ended while this page was open without the user logging out here. */
export function wasSignedOut(): boolean {
  return wasEnded
}

export function storeTokens({ account_id, user_id, token, renew_token }: Credentials) {
  const tokens: Tokens = { account_id, user_id, token, renew_token, renewed_at: Date.now() }
  storage.setItem(KEY, JSON.stringify(tokens))
  storage.removeItem(RENEWAL)
  wasEnded = false
  storeCookie(token)
  for (const listener of listeners) listener()
}

/** `isEnded` if the server ended the session, and not the user here. */
export function clearTokens(isEnded = false) {
  storage.removeItem(KEY)
  storage.removeItem(RENEWAL)
  wasEnded = isEnded
  storeCookie('')
  for (const listener of listeners) listener()
}

/** Calls the listener when tokens change, in this tab or another. Returns a function that stops it. */
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
 * Exchanges the renew token for a new pair. Renew tokens work once, so only one tab does it; the others read the new
 * pair from storage. `expired` is the access token to replace.
 */
export function renewSession(expired: string): Promise<Renewal> {
  renewing ??= withLock('parley.renewal', () => renewUnlessDone(expired)).finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renewUnlessDone(expired: string): Promise<Renewal> {
  const tokens = readTokens()
  if (!tokens) return 'refused'
  if (tokens.token !== expired) return 'renewed'
  try {
    const { data } = await send(
      authSessions.renew,
      { body: { retry_key: retryKeyFor(tokens.renew_token) } },
      tokens.renew_token,
    )
    if (readTokens()?.renew_token === tokens.renew_token) storeTokens(data)
    return 'renewed'
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) return 'unreachable'
    console.error('Invalid session', error)
    if (readTokens()?.renew_token !== tokens.renew_token) return readTokens() ? 'renewed' : 'refused'
    clearTokens(true)
    return 'refused'
  }
}

/**
 * Stored before the request, so that a page closed before the response can repeat the request and get the same new
 * pair.
 */
function retryKeyFor(renew_token: string): string {
  const stored = storage.getItem(RENEWAL)
  if (stored?.startsWith(`${renew_token} `)) return stored.slice(renew_token.length + 1)
  const key = newId()
  storage.setItem(RENEWAL, `${renew_token} ${key}`)
  return key
}

/**
 * Prepares the stored session: renews it first if its tokens are old. From then on it is renewed in the background, a
 * few seconds after the start and every 20 minutes, by one of the open tabs. Returns a function that stops this.
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
    // The absolute value, because the clock may have been set back.
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

/** The widget settings page reads its token from a cookie. */
function storeCookie(token: string, page: { cookie: string } = document) {
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
