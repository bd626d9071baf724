import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe } from 'vitest'
import { type Endpoint, isOpenToApiKeys, onlyReads } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import { TOPICS, type TopicPattern } from '#contract/topics.ts'
import { COUNTED_LATER } from './support/counted-later.ts'
import { test as base, expect } from './support/fixture.ts'
import { type Known, knownQuery, sampleBody, samplePath, sampleQuery } from './support/samples.ts'
import type { Answer, TestServer } from './support/server.ts'
import { TestSocket } from './support/sockets.ts'
import { createApiKey, PASSWORD, startConversation, startVisitor, type World } from './support/world.ts'

/** A text in all data of Acme that callers without rights must not read. */
const SECRET = 'quince-marmalade'

interface Strangers {
  tokens: Record<string, string | undefined>
  /** The caller's own customer in Acme, if any: changes to it are allowed. */
  customer_id: string
}

const test = base
  .extend('recorder', { scope: 'file' }, ({ server }, { onCleanup }) => {
    const socket = new TestSocket(server.url)
    onCleanup(() => socket.close())
    return socket
  })
  .extend('known', { scope: 'file' }, async ({ server, world, recorder }): Promise<Known> => {
    const { customer_id } = world.carla
    await server.request('PUT', `/api/customers/${customer_id}/metadata`, {
      token: world.carla.token,
      body: {
        metadata: { name: SECRET, email: `${SECRET}@customer.test`, external_id: '42', metadata: { plan: SECRET } },
      },
    })
    // The test takes longer than the delay of mention mails.
    const user_settings = { email_alert_on_mention: false }
    await server.request('PUT', '/api/user_settings', { token: world.ben.token, body: { user_settings } })
    const { conversation_id, message } = await startConversation(server, world.carla, SECRET)
    await server.request('POST', '/api/messages', {
      token: world.ada.token,
      body: { message: { conversation_id, body: SECRET, type: 'note', mentioned_user_ids: [world.ben.id] } },
    })
    const deleted = await startConversation(server, world.carla, SECRET)
    await server.request('DELETE', `/api/conversations/${deleted.conversation_id}`, { token: world.ada.token })
    return {
      ...(await addRecords(server, world)),
      deleted_conversations: deleted.conversation_id,
      ...(await addSession(server, world, recorder)),
      account_id: world.acme.id,
      conversation_id,
      conversations: conversation_id,
      customer_id,
      customers: customer_id,
      inbox_id: world.website.id,
      inboxes: world.website.id,
      messages: message.id,
      assignee_id: world.ada.id,
      user_id: world.ada.id,
      external_id: '42',
      email: 'somebody@else.test',
      limit: 50,
      id: randomUUID(),
    }
  })
  /** API keys: two of Acme, one of them read-only and one of a demoted admin; and one of Other. */
  .extend('programs', { scope: 'file' }, async ({ server, world }) => {
    const setRole = (role: string) =>
      server.request('PUT', `/api/users/${world.ben.id}/role`, { token: world.ada.token, body: { role } })
    const reader = await createApiKey(server, world.ada.token, 'read')
    await setRole('admin')
    const demoted = await createApiKey(server, await signIn(server, world.ben.email))
    await setRole('user')
    return { reader, demoted, stranger: await createApiKey(server, world.olga.token) }
  })
  .extend('latestStrangers', { scope: 'file' }, (): { current?: Strangers } => ({}))
  /** New sessions where one has ended, because some calls end the session of their caller. */
  .extend('strangers', async ({ server, world, programs, latestStrangers }): Promise<Strangers> => {
    const { current } = latestStrangers
    if (current && (await areSignedIn(server, current))) return current
    const visitor = await startVisitor(server, world.acme.id)
    const tokens = {
      nobody: undefined,
      'another visitor': visitor.token,
      'a visitor of another account': (await startVisitor(server, world.other.id)).token,
      'an admin of another account': await signIn(server, world.olga.email),
      'a program of another account': programs.stranger,
    }
    latestStrangers.current = { tokens, customer_id: visitor.customer_id }
    return latestStrangers.current
  })
  /** A connection with one prepared statement over all tables, planned once for all tests. */
  .extend('readRows', { scope: 'file' }, async ({ server, world }, { onCleanup }) => {
    const client = new pg.Client(server.database.connection)
    await client.connect()
    onCleanup(() => client.end())
    await client.query('set jit = off; set plan_cache_mode = force_generic_plan')
    const text = await writeQueryOfEverything(client)
    return () => client.query<{ row: string }>({ name: 'everything', text, values: [world.acme.id] })
  })
  /** All rows of Acme as text, except the times at which the widget was seen, which anyone may change. */
  .extend('everythingOfAcme', ({ readRows, strangers }) => async (): Promise<Set<string>> => {
    const { rows } = await readRows()
    return new Set(rows.flatMap(({ row }) => (row.includes(strangers.customer_id) ? [] : [row])))
  })
  .extend(
    'request',
    { scope: 'file' },
    ({ server, known }) =>
      (endpoint: Endpoint, token?: string, writeQuery = sampleQuery): Promise<Answer> =>
        server.request(endpoint.method, `${samplePath(endpoint, known)}?${writeQuery(endpoint, known)}`, {
          token,
          body: sampleBody(endpoint, known),
        }),
  )

/** Records of a customer, by the first word of their path. */
async function addRecords(server: TestServer, world: World): Promise<Known> {
  const { customer_id } = world.carla
  const add = async (path: string, body: object): Promise<string> =>
    (await server.request('POST', `/api/${path}`, { token: world.ada.token, body })).body.data.id
  const tags = await add('tags', { tag: { name: SECRET } })
  await server.request('POST', `/api/customers/${customer_id}/tags`, { token: world.ada.token, body: { tag_id: tags } })
  const issues = await add('issues', { issue: { title: SECRET, customer_id } })
  return {
    companies: await add('companies', { company: { name: SECRET } }),
    customer_filters: await add('customer_filters', { customer_filter: { name: SECRET, query: {} } }),
    notes: await add('notes', { note: { body: SECRET, customer_id } }),
    issues,
    issue_id: issues,
    tags,
    tag_id: tags,
  }
}

/** A tab whose recorder holds a token, as ours do. It stays connected, so that the session does not end. */
async function addSession(server: TestServer, { acme, carla }: World, recorder: TestSocket): Promise<Known> {
  const token = randomBytes(32).toString('base64url')
  const { customer_id } = carla
  const browser_session = { account_id: acme.id, customer_id, metadata: { title: SECRET }, token }
  const { body } = await server.request('POST', '/api/browser_sessions', { body: { browser_session } })
  await recorder.join(`events:${acme.id}:${body.data.id}`, { token })
  return { browser_sessions: body.data.id, session_id: body.data.id }
}

async function areSignedIn(server: TestServer, { tokens: { nobody: _, ...others } }: Strangers): Promise<boolean> {
  const statuses = await Promise.all(
    Object.entries(others).map(async ([stranger, token]) => {
      const path = stranger.includes('visitor') ? '/api/visitor_sessions' : '/api/me'
      return (await server.request('GET', path, { token })).status
    }),
  )
  return statuses.every((status) => status === 200)
}

async function writeQueryOfEverything(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'account_id' and table_name <> all ($1)`,
    [COUNTED_LATER],
  )
  return tables
    .map(
      ({ name }) => `
      select '${name} ' || (to_jsonb(t) - array['host', 'pathname', 'last_seen_at', 'last_used_at'])::text as row
      from ${name} t where account_id = $1`,
    )
    .join(' union all ')
}

describe.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    const queries = endpoint.query ? [sampleQuery, knownQuery] : [sampleQuery]

    test('callers without rights read and change nothing of the account', async ({
      strangers,
      everythingOfAcme,
      request,
    }) => {
      const before = await everythingOfAcme()
      for (const [stranger, token] of Object.entries(strangers.tokens)) {
        for (const writeQuery of queries) {
          const { body, status } = await request(endpoint, token, writeQuery)
          expect(JSON.stringify(body), stranger).not.toContain(SECRET)
          expect(status, stranger).toBeLessThan(500)
        }
      }
      const after = await everythingOfAcme()
      expect([...before].filter((row) => !after.has(row))).toEqual([])
      if (endpoint.who !== 'anyone') expect([...after].filter((row) => !before.has(row))).toEqual([])
    })

    test('callers without rights are refused before anything else', async ({ server, world, strangers, request }) => {
      const { who } = endpoint
      const anonymous = await request(endpoint)
      const visitor = await request(endpoint, strangers.tokens['another visitor'])
      if (who === 'signed') {
        const message = expect.stringContaining('signature')
        for (const { body } of [anonymous, visitor, await request(endpoint, await signIn(server, world.ada.email))]) {
          expect(body.error).toMatchObject({ status: 401, message })
        }
        return
      }
      if (who !== 'anyone') expect(anonymous.body.error).toMatchObject({ status: 401, message: 'Not authenticated' })
      if (who === 'user' || who === 'admin')
        expect(visitor.body.error).toMatchObject({ status: 401, message: 'Unauthorized access' })
      if (who === 'admin') {
        const member = await request(endpoint, await signIn(server, world.ben.email))
        expect(member.body.error).toMatchObject({ status: 401, message: 'Unauthorized access' })
      }
      const forged = await request(endpoint, 'pas_forged')
      if (!endpoint.path.startsWith('/api/session')) expect(forged.body.error).toMatchObject({ status: 401 })
    })

    test('a program may do what its owner may now, but nothing about sessions, and may change nothing with a key to read', async ({
      programs,
      everythingOfAcme,
      request,
    }) => {
      // In these calls the header carries the token to renew or end.
      if (endpoint.path.startsWith('/api/session')) return
      const before = await everythingOfAcme()
      const { body, status } = await request(endpoint, programs.reader)
      const mayRead = isOpenToApiKeys(endpoint) && onlyReads(endpoint)
      // Signed calls are checked by their signature alone.
      if (endpoint.who === 'signed') expect(status).toBe(401)
      else if (endpoint.session_only || !onlyReads(endpoint)) expect(status).toBe(403)
      else if (mayRead) expect(JSON.stringify(body)).not.toMatch(/API key|Unauthorized access/)
      else expect(status).toBe(401)
      if (endpoint.session_only) expect((await request(endpoint, programs.demoted)).status).toBe(403)
      else if (endpoint.who === 'admin') expect((await request(endpoint, programs.demoted)).status).toBe(401)
      const after = await everythingOfAcme()
      expect([...before].filter((row) => !after.has(row))).toEqual([])
      // Exports are recorded in the audit log, and settings are created when they are first read.
      if (!mayRead) expect([...after].filter((row) => !before.has(row))).toEqual([])
    })
  },
)

describe.each(Object.entries(TOPICS))('topic %s', (pattern, { who, accepts }) => {
  test('callers without rights receive and change nothing of the account', async ({
    server,
    world,
    known,
    programs,
    strangers,
    everythingOfAcme,
    openSocket,
  }) => {
    const topic = pattern.replace(/\{(\w+)\}/g, (_, name) => String(known[name]))
    const before = await everythingOfAcme()
    const sockets: TestSocket[] = []
    for (const [stranger, token] of Object.entries(strangers.tokens)) {
      // No key opens a socket; that has a test of its own.
      if (token === programs.stranger) continue
      const isUser = token?.startsWith('pas_')
      const socket = openSocket(token ? { [isUser ? 'token' : 'visitor_token']: token } : {})
      sockets.push(socket)
      const joined = await socket.join(topic, { customer_id: known.customer_id as string }).catch(() => undefined)
      if (who !== 'anyone' || holdsSecrets(pattern as TopicPattern)) expect(joined, stranger).toBeUndefined()
      for (const event of accepts) {
        const payload = { ...known, body: 'intruded', typing: true }
        await (joined ? joined.push(event, payload) : pushUnjoined(socket, topic, event, payload)).catch(
          () => undefined,
        )
      }
    }
    const after = await everythingOfAcme()
    expect([...before].filter((row) => !after.has(row))).toEqual([])
    expect([...after].filter((row) => !before.has(row))).toEqual([])

    // Posts a message for the team and Carla, and waits until it was delivered.
    const carla = openSocket({ visitor_token: world.carla.token })
    const joined = await carla.join(`conversation:${known.conversation_id}`)
    const message = { conversation_id: known.conversation_id, body: SECRET }
    await server.request('POST', '/api/messages', { token: world.ada.token, body: { message } })
    await joined.receive('shout')
    for (const socket of sockets) expect(socket.frames.join('\n')).not.toContain(SECRET)
  })
})

async function signIn(server: TestServer, email: string): Promise<string> {
  const { body } = await server.request('POST', '/api/session', { body: { user: { email, password: PASSWORD } } })
  return body.data.token
}

/** Topics about one customer with a visitor session, or about one tab whose recorder holds a token. */
function holdsSecrets(pattern: TopicPattern): boolean {
  return /^(conversation:|events:\{).*_id\}$/.test(pattern)
}

/** A client that ignores the refusal of its join. */
function pushUnjoined(socket: TestSocket, topic: string, event: string, payload: object): Promise<void> {
  socket.socket.push({ topic, event, payload, ref: '99', join_ref: '98' } as never)
  return new Promise((resolve) => setTimeout(resolve, 30))
}
