import { createHash } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type AssistantScope, assistants } from '#contract/developers/assistants.ts'
import { test as base, type Caller } from './fixture.ts'

/** Where the program waits for its code. */
export const REDIRECT = 'http://127.0.0.1:33418/callback'
const VERIFIER = 'a-verifier-that-is-long-enough-for-the-standard-0123456789'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

/** With programs that are connected over MCP in somebody's name. */
export const test = base
  .extend('enable', ({ as }) => (may_send = false) => {
    return as.ada(assistants.changeSettings, { body: { is_enabled: true, may_send } })
  })
  .extend('post', ({ server }) => async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(body as Record<string, string>),
    })
    return { status: response.status, body: await response.json() }
  })
  .extend('register', ({ server }) => async (redirect_uris = [REDIRECT], client_name = 'Claude') => {
    const response = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name, redirect_uris }),
    })
    return { status: response.status, body: await response.json() }
  })
  /** Consents in somebody's name, and returns what the program gets. */
  .extend(
    'connect',
    ({ register, post }) =>
      async (by: Caller, scopes: AssistantScope[] = ['read', 'write', 'send']) => {
        const { client_id } = (await register()).body
        const { data } = await by(assistants.consent, { body: { ...request(client_id), scopes } })
        const code = new URL(data.redirect_to).searchParams.get('code')!
        const exchange = {
          grant_type: 'authorization_code',
          client_id,
          code,
          redirect_uri: REDIRECT,
          code_verifier: VERIFIER,
        }
        const { body } = await post('/oauth/token', exchange)
        return { client_id, code, exchange, ...body } as {
          client_id: string
          code: string
          access_token: string
          refresh_token: string
          scope: string
          exchange: typeof exchange
        }
      },
  )
  .extend('openClient', ({ server }, { onCleanup }) => {
    const open: Client[] = []
    onCleanup(async () => {
      for (const client of open) await client.close()
    })
    return async (token: string, mode: 'legacy' | 'auto' = 'auto') => {
      const client = new Client({ name: 'a test', version: '1' }, { versionNegotiation: { mode } })
      const requestInit = { headers: { authorization: `Bearer ${token}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
      open.push(client)
      return {
        version: client.getNegotiatedProtocolVersion(),
        list: async () => (await client.listTools()).tools,
        async call(name: string, input: object = {}) {
          const result = await client.callTool({ name, arguments: { ...input } })
          const [content] = result.content as { text: string }[]
          return {
            isError: !!result.isError,
            text: content!.text,
            data: result.structuredContent as Record<string, unknown>,
          }
        },
      }
    }
  })

/** What a program asks for when it is to be connected. */
export function request(client_id: string, more: object = {}) {
  return {
    client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'read write send',
    state: 'xyz',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...more,
  }
}
