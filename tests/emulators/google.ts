import { createHash } from 'node:crypto'
import { createEmulator } from 'emulate'
import { goBack, startVendor, type Vendor, type VendorAnswer, type VendorRequest } from './vendor.ts'

export interface Google extends Vendor {
  settings: Record<string, string>
  /** A code such as the consent page returns, with the challenge of `page` if there is one. */
  consent(scope: 'gmail' | 'sheets', page?: string): string
  /** A mail arrives in the mailbox. */
  receive(raw: string, labels?: string[]): Promise<{ id: string; threadId: string }>
  /** Mails sent through the API. */
  sent: { raw: string; threadId: string | undefined }[]
  /** The rows of each spreadsheet. */
  sheets: Map<string, unknown[][]>
  /** Forgets the history before now. */
  forgetHistory(): void
  /** Valid access tokens. */
  tokens: Set<string>
  /** Invalidates all tokens and grants. */
  revokeAll(): void
  setLifetime(seconds: number): void
}

export const GMAIL_ADDRESS = 'support@acme.test'
const SECRET = 'the secret of the app at Google'
const INNER = 'the token of the emulator behind'
const GMAIL = '/gmail/v1/users/me'

/**
 * Google on this machine: a proxy in front of `emulate` that adds what it lacks (profiles, expired history, tokens that
 * expire or are revoked, search by Message-ID, Sheets).
 */
export async function startGoogle(): Promise<Google> {
  const behind = await createEmulator({
    service: 'google',
    port: 0,
    seed: {
      tokens: { [INNER]: { login: GMAIL_ADDRESS, scopes: ['gmail.modify'] } },
      google: { users: [{ email: GMAIL_ADDRESS, name: 'Support' }] },
    },
  })
  const inner = behind.url.replace('localhost', '127.0.0.1')
  const [tokens, grants] = [new Set<string>(), new Map<string, string>()]
  const codes = new Map<string, { scope: string; challenge: string | null }>()
  const sent: Google['sent'] = []
  const sheets: Google['sheets'] = new Map()
  let [made, lifetime, oldest] = [0, 3600, 0n]

  async function callEmulator<Answer = object>(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await fetch(inner + path, {
      method,
      headers: { authorization: `Bearer ${INNER}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json() as Promise<Answer>
  }

  function consent(client: 'gmail' | 'sheets', challenge: string | null): string {
    const code = `4/${++made}`
    const scope = `https://www.googleapis.com/auth/${client === 'gmail' ? 'gmail.modify' : 'spreadsheets'}`
    codes.set(code, { scope, challenge })
    return code
  }

  /** The latest history id. */
  async function newest(): Promise<string> {
    const { history = [] } = await callEmulator<{ history?: { id: string }[] }>(
      'GET',
      `${GMAIL}/history?startHistoryId=1`,
    )
    return history
      .map(({ id }) => BigInt(id))
      .reduce((a, b) => (a > b ? a : b), 1n)
      .toString()
  }

  function token({ body }: VendorRequest): VendorAnswer {
    const refused = (error: string, error_description: string) => ({ status: 400, body: { error, error_description } })
    if (body.client_secret !== SECRET) return { status: 401, body: { error: 'invalid_client' } }
    if (body.grant_type === 'refresh_token') {
      const scope = grants.get(String(body.refresh_token))
      return scope ? give(scope) : refused('invalid_grant', 'Token has been expired or revoked.')
    }
    const code = codes.get(String(body.code))
    codes.delete(String(body.code))
    const verified = code?.challenge ? sha(String(body.code_verifier)) === code.challenge : true
    if (!code || !verified) return refused('invalid_grant', 'Malformed auth code.')
    const refresh_token = `1//${++made}`
    grants.set(refresh_token, code.scope)
    return give(code.scope, refresh_token)
  }

  function give(scope: string, refresh_token?: string): VendorAnswer {
    const access_token = `ya29.${++made}`
    tokens.add(access_token)
    const more = refresh_token ? { refresh_token } : {}
    return { body: { access_token, expires_in: lifetime, scope, token_type: 'Bearer', ...more } }
  }

  async function gmail(request: VendorRequest): Promise<VendorAnswer | undefined> {
    const { method, path, query, body } = request
    if (path === `${GMAIL}/profile`) return { body: { emailAddress: GMAIL_ADDRESS, historyId: await newest() } }
    if (path === `${GMAIL}/history` && BigInt(query.get('startHistoryId') ?? '0') < oldest) {
      return { status: 404, body: { error: { code: 404, message: 'Requested entity was not found.' } } }
    }
    const header = /^rfc822msgid:(.+)$/.exec(query.get('q') ?? '')?.[1]
    if (path === `${GMAIL}/messages` && header) {
      const index = sent.findIndex(({ raw }) => raw.includes(`<${header}>`))
      return { body: index < 0 ? { resultSizeEstimate: 0 } : { messages: [{ id: `sent-${index}` }] } }
    }
    if (path === `${GMAIL}/messages` && query.has('q')) return { body: await callEmulator('GET', `${GMAIL}/messages`) }
    if (path === `/upload${GMAIL}/messages/send`) {
      const [, about = '', ...rest] = request.text.split(/\r\n\r\n/)
      const { threadId } = JSON.parse(about.split('\r\n')[0]!) as { threadId?: string }
      sent.push({ raw: rest.join('\r\n\r\n'), threadId })
      return { body: { id: `sent-${sent.length - 1}`, threadId: threadId ?? 'new' } }
    }
    if (method === 'POST' && path === `${GMAIL}/messages/send`) {
      const raw = Buffer.from(String(body.raw), 'base64url').toString()
      sent.push({ raw, threadId: body.threadId as string | undefined })
    }
    // `emulate` only accepts its own token.
    request.headers = { ...request.headers, authorization: `Bearer ${INNER}` }
    return undefined
  }

  function spreadsheets({ method, path, body }: VendorRequest): VendorAnswer {
    if (method === 'POST' && path === '/v4/spreadsheets') {
      const spreadsheetId = `sheet-${++made}`
      sheets.set(spreadsheetId, [])
      return { body: { spreadsheetId, spreadsheetUrl: `https://docs.google.com/spreadsheets/d/${spreadsheetId}` } }
    }
    const rows = sheets.get(path.split('/')[3]?.split('?')[0] ?? '')
    if (!rows) return { status: 404, body: { error: { code: 404, message: 'Requested entity was not found.' } } }
    if (path.endsWith(':append')) rows.push(...(body.values as unknown[][]))
    return { body: { values: rows.map((row) => [row[0]]) } }
  }

  const vendor = await startVendor((request) => {
    if (request.path === '/o/oauth2/v2/auth') {
      const client = request.query.get('scope')?.includes('gmail') ? 'gmail' : 'sheets'
      return goBack(request, { code: consent(client, request.query.get('code_challenge')) })
    }
    if (request.path === '/token') return token(request)
    if (request.path === '/revoke') {
      grants.delete(String(request.body.token))
      return { body: {} }
    }
    if (!tokens.has(request.token ?? '')) {
      return { status: 401, body: { error: { code: 401, message: 'Request had invalid authentication credentials.' } } }
    }
    return request.path.startsWith('/v4/') ? spreadsheets(request) : gmail(request)
  }, inner)
  return {
    ...vendor,
    sent,
    sheets,
    tokens,
    settings: {
      GOOGLE_CLIENT_ID: '1234.apps.googleusercontent.com',
      GOOGLE_CLIENT_SECRET: SECRET,
      GOOGLE_CONSENT_URL: `${vendor.url}/o/oauth2/v2/auth`,
      GOOGLE_OAUTH_URL: vendor.url,
      GMAIL_API_URL: vendor.url,
      SHEETS_API_URL: vendor.url,
    },
    consent: (client, page) => consent(client, page ? new URL(page).searchParams.get('code_challenge') : null),
    async receive(raw, labels = ['INBOX', 'UNREAD']) {
      const body = { raw: Buffer.from(raw).toString('base64url'), labelIds: labels }
      return callEmulator('POST', `${GMAIL}/messages/import`, body)
    },
    forgetHistory() {
      oldest = 1n << 80n
    },
    revokeAll() {
      tokens.clear()
      grants.clear()
    },
    setLifetime(seconds) {
      lifetime = seconds
    },
    async close() {
      await vendor.close()
      await behind.close()
    },
  }
}

function sha(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
