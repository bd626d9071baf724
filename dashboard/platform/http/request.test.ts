import { afterEach, describe, expect, it, vi } from 'vitest'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { addressOf } from '#contract/call.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { ApiError, isTemporary, send } from './request.ts'

afterEach(() => vi.unstubAllGlobals())

function answer(status: number, body: unknown) {
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => Response.json(body, { status }))
  vi.stubGlobal('fetch', fetched)
  return fetched
}

describe('a call', () => {
  it('fills in the path and sends the raw token and a JSON body', async () => {
    const fetched = answer(200, { data: { id: 'c1' } })
    const body = { conversation: { status: 'closed' as const } }
    expect(await send(conversations.update, { params: { id: 'a b' }, body }, 'secret')).toEqual({ data: { id: 'c1' } })
    const [address, init] = fetched.mock.calls[0] ?? []
    expect(address).toBe('/api/conversations/a%20b')
    expect(init).toMatchObject({
      method: 'PUT',
      body: '{"conversation":{"status":"closed"}}',
      headers: { authorization: 'secret', 'content-type': 'application/json' },
    })
  })

  it('sends no Authorization without a token', async () => {
    const fetched = answer(200, { data: {} })
    await send(authSessions.signIn, { body: { user: { email: 'a', password: 'b' } } })
    expect(fetched.mock.calls[0]?.[1].headers).not.toHaveProperty('authorization')
  })

  it('leaves undefined out of the query and sends null empty', () => {
    expect(addressOf('/api/x', undefined, { a: 1, b: undefined, c: null, d: 'e f', g: false })).toBe(
      '/api/x?a=1&c=&d=e+f&g=false',
    )
    expect(addressOf('/api/x', undefined, {})).toBe('/api/x')
  })

  it('throws the message, field errors, reason and body of a refusal', async () => {
    const body = { error: { status: 422, message: 'No', reason: 'why', errors: { name: ['x'] } }, data: 1 }
    answer(422, body)
    const error = await send(authSessions.me, {}, 'secret').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, message: 'No', reason: 'why', errors: { name: ['x'] }, body })
  })

  it('reports an unreachable server as a temporary error', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch')
    })
    const error = await send(authSessions.me, {}, 'secret').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 0 })
    expect(isTemporary(error)).toBe(true)
    expect(isTemporary(new ApiError(422, 'No'))).toBe(false)
  })

  it('handles a response that is not JSON', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }))
    await expect(send(authSessions.me, {}, 'secret')).rejects.toMatchObject({ status: 502, message: '' })
  })
})
