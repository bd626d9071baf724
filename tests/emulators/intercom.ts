import { startVendor, type Vendor, type VendorRequest } from './vendor.ts'

type Contact = Record<string, unknown> & { id: string }

export interface Intercom extends Vendor {
  contacts: Contact[]
  settings: Record<string, string>
  /** A code such as the consent page returns. */
  consent(): string
  tokens: Set<string>
  /** Makes all contacts searchable; new ones are not at first, as in the real search, which lags by minutes. */
  indexNow(): void
}

/** An access token that a person has created at Intercom. */
export const ACCESS_TOKEN = 'dG9rOnRoZSB0ZXN0cw=='
const WORKSPACE = 'wx1yz2ab'
const SECRET = 'the secret of the app at Intercom'

/** Intercom's contacts, with faults on demand. */
export async function startIntercom(): Promise<Intercom> {
  const contacts: Contact[] = []
  const tokens = new Set([ACCESS_TOKEN])
  const codes = new Set<string>()
  let [made, indexed] = [0, 0]

  function search({ body }: VendorRequest) {
    const { query } = body as { query: { operator: string; field?: string; value: unknown } }
    const conditions = (query.operator === 'AND' ? query.value : [query]) as { field: string; value: string }[]
    const matches = contacts
      .slice(0, indexed)
      .filter((contact) => conditions.every(({ field, value }) => String(contact[field] ?? '') === value))
    return { body: { type: 'list', data: matches, total_count: matches.length } }
  }

  function create({ body }: VendorRequest) {
    const taken = contacts.find(({ email }) => email && email === body.email)
    if (taken) {
      const message = `A contact matching those details already exists with id=${taken.id}`
      return { status: 409, body: { type: 'error.list', errors: [{ code: 'conflict', message }] } }
    }
    const contact = { type: 'contact', workspace_id: WORKSPACE, ...body, id: `c${++made}f` }
    contacts.push(contact)
    return { body: contact }
  }

  const vendor = await startVendor((request) => {
    const { method, path, body, headers, token = '' } = request
    if (path === '/auth/eagle/token') {
      if (body.client_secret !== SECRET || !codes.delete(String(body.code))) {
        return {
          status: 401,
          body: { type: 'error.list', errors: [{ code: 'invalid_code', message: 'Invalid code' }] },
        }
      }
      const access_token = `token-${++made}`
      tokens.add(access_token)
      return { body: { token_type: 'Bearer', token: access_token, access_token } }
    }
    if (!tokens.has(token)) {
      return {
        status: 401,
        body: { type: 'error.list', errors: [{ code: 'unauthorized', message: 'Access Token Invalid' }] },
      }
    }
    if (headers['intercom-version'] !== '2.15') return { status: 400, body: { errors: [{ message: 'No version' }] } }
    if (path === '/me')
      return { body: { type: 'admin', app: { type: 'app', id_code: WORKSPACE, name: 'Acme workspace' } } }
    if (method === 'POST' && path === '/contacts/search') return search(request)
    if (method === 'POST' && path === '/contacts') return create(request)
    if (method === 'GET' && path === '/contacts') return { body: { type: 'list', data: contacts } }
    const contact = contacts.find(({ id }) => path === `/contacts/${id}`)
    return contact
      ? { body: contact }
      : { status: 404, body: { type: 'error.list', errors: [{ code: 'not_found', message: 'User Not Found' }] } }
  })
  return {
    ...vendor,
    contacts,
    tokens,
    settings: {
      INTERCOM_URL: vendor.url,
      INTERCOM_API_URL: vendor.url,
      INTERCOM_CLIENT_ID: 'intercom-app',
      INTERCOM_CLIENT_SECRET: SECRET,
    },
    consent() {
      const code = `code-${++made}`
      codes.add(code)
      return code
    },
    indexNow() {
      indexed = contacts.length
    },
  }
}
