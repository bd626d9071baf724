import { beforeEach, describe, expect, it, vi } from 'vitest'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { storage } from '../../testing/samples.ts'
import { call } from '../http/api.ts'
import { isTemporary } from '../http/request.ts'
import { clearTokens, onTokensChange, readTokens, renewSession, storeTokens, wasSignedOut } from './session.ts'

const credentials = (round: number) => ({
  user_id: 7,
  email: 'ada@acme.test',
  account_id: 'a1',
  token: `token ${round}`,
  renew_token: `renew ${round}`,
})

/** A fake server that accepts only the latest pair of tokens, and each renew token once. */
function server() {
  let round = 1
  const calls: string[] = []
  const fetched = async (address: string, init: RequestInit) => {
    const token = new Headers(init.headers).get('authorization')
    calls.push(`${init.method} ${address} ${token}`)
    if (address === '/api/session/renew') {
      if (token !== `renew ${round}`) return Response.json({ error: { message: 'Invalid token' } }, { status: 401 })
      round++
      return Response.json({ data: credentials(round) })
    }
    if (token === `token ${round}`) return Response.json({ data: { id: 7 } })
    return Response.json({ error: { message: 'Not authenticated' } }, { status: 401 })
  }
  vi.stubGlobal('fetch', fetched)
  return { calls, expire: () => round++ }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('location', { protocol: 'https:', search: '' })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('navigator', {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

describe('the session', () => {
  it('fails a call without a token here, with Invalid token!', async () => {
    const { calls } = server()
    await expect(call(authSessions.me, {})).rejects.toThrow('Invalid token!')
    expect(calls).toEqual([])
  })

  it('keeps both tokens in local storage and the access token in a cookie for the widget page', () => {
    storeTokens(credentials(1))
    expect(readTokens()).toMatchObject({ token: 'token 1', renew_token: 'renew 1', user_id: 7 })
    expect(document.cookie).toMatch(/^token=token%201; path=\/widget\/; SameSite=Strict; .*Secure$/)
    clearTokens()
    expect(readTokens()).toBeNull()
    expect(document.cookie).toMatch(/^token=; .*max-age=0/)
  })

  it.each([429, 500, 502, 503])('continues if a renewal gets %i, and the call may be retried', async (status) => {
    storeTokens(credentials(1))
    vi.stubGlobal('fetch', async (address: string) =>
      Response.json({ error: { message: 'not now' } }, { status: address === '/api/session/renew' ? status : 401 }),
    )
    const refusal = await call(authSessions.me, {}).catch((error: unknown) => error)
    expect(isTemporary(refusal)).toBe(true)
    expect(readTokens()).toMatchObject({ token: 'token 1' })
  })

  it('renews once on a 401 and repeats the call', async () => {
    const { calls } = server()
    storeTokens({ ...credentials(1), token: 'ran out' })
    expect(await call(authSessions.me, {})).toEqual({ data: { id: 7 } })
    expect(calls).toEqual(['GET /api/me ran out', 'POST /api/session/renew renew 1', 'GET /api/me token 2'])
  })

  it('does not repeat a call as somebody else who has signed in meanwhile', async () => {
    const { calls } = server()
    storeTokens({ ...credentials(1), token: 'signed out' })
    const request = call(authSessions.me, {})
    storeTokens({ ...credentials(1), user_id: 8 })
    await expect(request).rejects.toMatchObject({ status: 401 })
    expect(calls).toEqual(['GET /api/me signed out'])
  })

  it('uses a renew token once, however many calls find their token expired', async () => {
    const { calls } = server()
    storeTokens({ ...credentials(1), token: 'ran out' })
    await Promise.all([call(authSessions.me, {}), call(authSessions.me, {}), call(authSessions.me, {})])
    expect(calls.filter((made) => made.includes('renew'))).toHaveLength(1)
  })

  it('retries with the same retry key if the response was lost, and uses a new one for the next token', async () => {
    const keys: string[] = []
    let isLost = true
    vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
      keys.push(JSON.parse(body).retry_key)
      if (isLost) throw new TypeError('Failed to fetch')
      return Response.json({ data: credentials(keys.length) })
    })
    storeTokens(credentials(1))
    await renewSession('token 1')
    isLost = false
    await renewSession('token 1')
    await renewSession('token 2')
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('uses tokens that another tab has renewed meanwhile', async () => {
    const { calls } = server()
    storeTokens(credentials(2))
    expect(await renewSession('token 1')).toBe('renewed')
    expect(calls).toEqual([])
  })

  it('ends when the server refuses to renew it', async () => {
    const { expire } = server()
    storeTokens(credentials(1))
    expire()
    const changed = vi.fn()
    onTokensChange(changed)
    await expect(call(authSessions.me, {})).rejects.toMatchObject({ status: 401 })
    expect(readTokens()).toBeNull()
    expect(changed).toHaveBeenCalled()
    expect(console.error).toHaveBeenCalledWith('Invalid session', expect.anything())
  })

  it('reports whether it ended by itself or by logging out here', async () => {
    const { expire } = server()
    storeTokens(credentials(1))
    clearTokens()
    expect(wasSignedOut()).toBe(false)
    storeTokens(credentials(1))
    expire()
    await call(authSessions.me, {}).catch(() => undefined)
    expect(wasSignedOut()).toBe(true)
    storeTokens(credentials(2))
    expect(wasSignedOut()).toBe(false)
  })

  it('is kept when the server cannot be reached', async () => {
    storeTokens(credentials(1))
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch')
    })
    expect(await renewSession('token 1')).toBe('unreachable')
    expect(readTokens()?.token).toBe('token 1')
  })

  it('notifies this tab of what another one stored', () => {
    const changed = vi.fn()
    const stop = onTokensChange(changed)
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'parley.session' }))
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'something else' }))
    stop()
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'parley.session' }))
    expect(changed).toHaveBeenCalledTimes(1)
  })
})
