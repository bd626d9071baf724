import pg from 'pg'
import pino from 'pino'
import { endpoints } from '#contract/index.ts'
import { test as base, expect } from './support/fixture.ts'
import { idsIn, makeSecrets, OPERATOR_SECRETS, pathsOf, readMailedSecrets, type Secrets } from './support/secrets.ts'
import { startTestServer } from './support/server.ts'
import { TestSocket } from './support/sockets.ts'
import { createApiKey, startConversation } from './support/world.ts'

/**
 * What may show a secret, and which. Every line is a decision; everything else in an answer, a frame, the log or the
 * database is a fault.
 */
const MAY_SHOW: [place: RegExp, secret: RegExp, reason: string][] = [
  [/^answer to (ben|member key): \/api\/user_settings/, /^push token/, 'their own device'],
  [/^answer to ada: \/api\/mails\//, /^invitation mail/, 'admins may invite, and copy the link'],
  [/^log$/, / mail /, 'without a mail server, the operator finds links in the log'],
  [/^table mails$/, / mail /, 'kept until there is a mail server'],
  [/^table user_settings$/, /^push token/, 'needed as it is'],
]

function isAllowed(source: string, secret: string): boolean {
  return MAY_SHOW.some(([where, what]) => where.test(source) && what.test(secret))
}

const lines: string[] = []

const test = base
  .extend('server', { scope: 'file' }, async ({ env: _ }, { onCleanup }) => {
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const server = await startTestServer(
      { ...OPERATOR_SECRETS, USER_INVITATION_EMAIL: 'on' },
      undefined,
      undefined,
      log,
    )
    onCleanup(() => server.close())
    return server
  })
  /** A position in the events before the secrets were made. */
  .extend('cursor', { scope: 'file' }, async ({ server, world }): Promise<string> => {
    return (await server.request('GET', '/api/events', { token: world.ada.token })).body.cursor
  })
  /** Sockets that listen while the secrets are made. */
  .extend('listeners', { scope: 'file' }, async ({ server, world }, { onCleanup }) => {
    const { conversation_id } = await startConversation(server, world.carla)
    const ada = new TestSocket(server.url, { token: world.ada.token })
    const carla = new TestSocket(server.url, { visitor_token: world.carla.token })
    onCleanup(() => {
      for (const socket of [ada, carla]) socket.close()
    })
    const team = await ada.join(`notification:${world.acme.id}`)
    await ada.join(`events:admin:${world.acme.id}:all`)
    await ada.join(`functions:${world.acme.id}`)
    await carla.join(`conversation:${conversation_id}`)
    return { ada, carla, team, conversation_id }
  })
  .extend('secrets', { scope: 'file' }, async ({ server, world, cursor: _, listeners: __ }): Promise<Secrets> => {
    const made = await makeSecrets(server, world)
    return { ...made, ...(await readMailedSecrets(server, world.acme.id)) }
  })
  .extend('memberKey', { scope: 'file' }, async ({ server, world }): Promise<string> => {
    const setRole = (role: string) =>
      server.request('PUT', `/api/users/${world.ben.id}/role`, { token: world.ada.token, body: { role } })
    await setRole('admin')
    const key = await createApiKey(server, world.ben.token)
    await setRole('user')
    return key
  })
  .extend('shownIn', ({ secrets }) => (source: string, text: string): string[] => {
    const shown = Object.entries(secrets).filter(([name, value]) => text.includes(value) && !isAllowed(source, name))
    return shown.map(([name]) => `${source} shows: ${name}`)
  })

test('no answer to a reading call shows a secret, whoever calls', async ({
  server,
  world,
  secrets,
  memberKey,
  cursor,
  shownIn,
}) => {
  const callers: Record<string, string | undefined> = {
    ada: world.ada.token,
    'full key': secrets['everything key'],
    'read key': secrets['read key'],
    ben: world.ben.token,
    'member key': memberKey,
    carla: world.carla.token,
    olga: world.olga.token,
    nobody: undefined,
  }
  const reads = endpoints.filter(({ method }) => method === 'GET')
  const ids = new Map<string, string[]>()
  for (const { path } of reads.filter((read) => !read.path.includes(':'))) {
    const { body } = await server.request('GET', path, { token: world.ada.token })
    if (idsIn(body).length > 0) ids.set(path.split('/')[2] ?? '', idsIn(body))
  }
  for (const noun of ['mails', 'event_subscriptions', 'personal_api_keys', 'inboxes', 'conversations'])
    expect(ids.get(noun), noun).toBeDefined()
  const named = { vendor: 'slack', kind: 'reply', conversation_id: ids.get('conversations')![0]! }
  const queries = ['', `?inbox_id=${world.website.id}&after=${encodeURIComponent(cursor)}`]
  const shown: string[] = []
  for (const [caller, token] of Object.entries(callers)) {
    for (const endpoint of reads) {
      for (const path of pathsOf(endpoint, ids, named)) {
        for (const query of queries) {
          const { body, headers } = await server.request('GET', path + query, token ? { token } : {})
          shown.push(...shownIn(`answer to ${caller}: ${path}`, JSON.stringify([body, headers])))
        }
      }
    }
  }
  expect(shown).toEqual([])
}, 300_000)

test('mails that give access are empty for API keys and, except invitations, for admins', async ({
  secrets,
  server,
  world,
}) => {
  const rows = await server.context.db
    .selectFrom('mails')
    .select(['id', 'kind', 'text'])
    .where('account_id', '=', world.acme.id)
    .where('kind', 'in', ['verification', 'password_reset', 'invitation'])
    .execute()
  expect(new Set(rows.map(({ kind }) => kind)).size).toBe(3)
  for (const { id, kind, text } of rows) {
    for (const key of [secrets['everything key'], secrets['read key']]) {
      const { body } = await server.request('GET', `/api/mails/${id}`, { token: key! })
      expect(body.data).toMatchObject({ id, text: '', html: '' })
    }
    const { body } = await server.request('GET', `/api/mails/${id}`, { token: world.ada.token })
    expect(body.data.text, kind).toBe(kind === 'invitation' ? text : '')
  }
})

test('nothing keeps an answer of the API, or a refusal, unless its call says so', async ({ server, world }) => {
  const KEPT = ['/api/browser_sessions/page_file', '/api/pictures']
  const { token } = world.ada
  for (const { method, path } of endpoints.filter((endpoint) => endpoint.path.startsWith('/api/'))) {
    if (KEPT.includes(path)) continue
    const { headers } = await server.request(method, path, { ...(method === 'GET' && { token }), body: {} })
    expect(headers['cache-control'], `${method} ${path}`).toBe('no-store')
  }
  for (const path of ['/api/nothing', `/api/${'a'.repeat(400)}`, '/api/me%00', '/api/%ff'])
    expect((await server.request('GET', path)).headers['cache-control'], path.slice(0, 20)).toBe('no-store')
})

test('no socket shows a secret', async ({ server, world, listeners, secrets: _, shownIn }) => {
  const { ada, carla, team, conversation_id } = listeners
  const message = { conversation_id, body: 'the last one' }
  await server.request('POST', '/api/messages', { token: world.ada.token, body: { message } })
  await team.receive('shout', ({ body }) => body === 'the last one')
  expect(shownIn('socket of ada', ada.frames.join('\n'))).toEqual([])
  expect(shownIn('socket of carla', carla.frames.join('\n'))).toEqual([])
})

test('no secret is logged, and none is stored as it is', async ({ server, shownIn, secrets }) => {
  // Readable at all levels, so that the log is certain to have been looked at.
  expect(lines.length).toBeGreaterThan(10)
  expect(shownIn('log', lines.join('\n'))).toEqual([])
  const client = new pg.Client(server.database.connection)
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  )
  const shown: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
    shown.push(...shownIn(`table ${name.replace('public.', '')}`, rows.map(({ row }) => row).join('\n')))
  }
  await client.end()
  expect(shown).toEqual([])
  expect(Object.keys(secrets).length).toBeGreaterThan(80)
})
