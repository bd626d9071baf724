import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatwoot, withClient } from './support/chatwoot/database.ts'
import { fillCompany, runChatwoot } from './support/chatwoot/run.ts'
import { fillHelpCenter, fillSetUp } from './support/chatwoot/set-up.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'

let source: FreshDatabase
let target: FreshDatabase
let folder: string
let output: string
let server: TestServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-chatwoot-setup-'))
  source = await createChatwoot()
  target = await freshDatabase()
  await withClient(source, fillCompany)
  await withClient(source, fillSetUp)
  await withClient(source, fillHelpCenter)
  output = await runImport()
  server = await startTestServer({ DATA_DIR: join(folder, 'data') }, undefined, target)
}, 180_000)
afterAll(async () => {
  await server.close()
  await source.drop()
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

async function runImport() {
  const { code, output: said } = await runChatwoot(target, source, folder, ['--inboxes', 'shared', '--account', '1'])
  expect(code, said).toBe(0)
  return said
}

const select = (sql: string) => withClient(target, async (client) => (await client.query(sql)).rows)

async function tokenOf(email: string, password: string): Promise<string> {
  return (await server.request('POST', '/api/session', { body: { user: { email, password } } })).body.data.token
}
const adas = () => tokenOf('ada@acme.test', 'Correct-horse-1')
const bens = () => tokenOf('ben@acme.test', 'Bens-word-1')
const get = async (path: string, token: string): Promise<Json> =>
  (await server.request('GET', path, { token })).body.data

test('macros come along for those who had them; their texts wait in the composer', async () => {
  const [team] = await select(`select id from teams where name = 'billing'`)
  const tags = new Map((await select('select id, name from tags')).map(({ id, name }) => [name, id]))
  const macros = await get('/api/macros', await adas())
  expect(macros).toMatchObject([
    {
      ...{ name: 'Close', is_personal: false, content: 'Hello {{contact.name}}' },
      actions: [
        { action: 'set_team', team_id: team.id },
        { action: 'assign', user_id: 7 },
        { action: 'add_tag', tag_id: tags.get('VIP') },
        { action: 'add_tag', tag_id: tags.get('forgotten') },
        { action: 'set_priority', priority: 'priority' },
        { action: 'set_status', status: 'closed' },
      ],
    },
  ])
  expect((await get('/api/macros', await bens())).map(({ name, is_personal }: Json) => [name, is_personal])).toEqual([
    ['Close', false],
    ['Mine', true],
  ])
  for (const reason of [
    'has the action mute_conversation',
    'belongs to one person, who is no member here',
    'assigns to whoever runs it',
    'another one has its name',
  ]) {
    expect(output).toContain(`× ${reason}`)
  }
})

test('saved filters become views of the same people, and show what they showed', async () => {
  const token = await bens()
  const views = await get('/api/conversation_views', token)
  expect(views).toMatchObject([
    {
      ...{ name: 'Urgent and mine', is_personal: true, missing: [] },
      conditions: [
        [
          { field: 'status', operator: 'is', values: ['open', 'snoozed'] },
          { field: 'priority', operator: 'is', values: ['priority'] },
        ],
        [
          { field: 'assignee', operator: 'is', values: ['7'] },
          { field: 'priority', operator: 'is', values: ['priority'] },
        ],
      ],
    },
    {
      name: 'Gold orders',
      conditions: [
        [{ field: 'customer_metadata', key: 'plan', operator: 'is', values: ['gold'] }],
        [{ field: 'created', operator: 'more_than', values: ['4320'] }],
      ],
    },
  ])
  const shown = await server.request('GET', `/api/conversation_views/${views[0].id}/conversations`, { token })
  expect(shown.body.data.map(({ metadata }: Json) => metadata.chatwoot.display_id)).toEqual([101])
  expect(await get('/api/conversation_views', await adas())).toEqual([])
  for (const reason of ['looks at country_code', 'is no filter over conversations', 'compares status with pending']) {
    expect(output).toContain(`× ${reason}`)
  }
})

test('automation rules are switched off, and those with a part without an equal are named', async () => {
  const rules = await get('/api/rules', await adas())
  expect(rules).toMatchObject([
    {
      ...{ name: 'Refunds', is_on: false, trigger: { on: 'customer_message' } },
      conditions: [[{ field: 'text', operator: 'contains', values: ['refund', 'money'] }]],
      actions: [{ action: 'add_tag' }, { action: 'answer', body: 'We look into it.' }],
    },
    {
      ...{ name: 'Reopened', is_on: false, trigger: { on: 'conversation_changed' } },
      conditions: [
        [{ field: 'changed', operator: 'is', values: ['status'] }],
        [{ field: 'status', operator: 'is', values: ['open'] }],
        [{ field: 'inbox', operator: 'is' }],
      ],
    },
  ])
  for (const reason of [
    'starts by messages of customers and of the team alike',
    'sends a text with places to fill in',
    'has the action send_webhook_event',
  ]) {
    expect(output).toContain(`× ${reason}`)
  }
  expect(output).toContain('The automation rule “Refunds” is switched off.')
})

test('articles come in their collections and languages; the help center is not published yet', async () => {
  const token = await adas()
  expect(await get('/api/help_center', token)).toMatchObject({
    ...{ name: 'Acme Help', slug: 'acme', color: '#0a7755', is_published: false },
    ...{ default_language: 'en', languages: ['en', 'pt-BR'] },
  })
  const collections = await get('/api/article_collections', token)
  expect(collections).toMatchObject([
    {
      ...{ slug: 'orders', icon: '📦', article_count: 1 },
      texts: { en: { name: 'Orders', description: 'Buying and paying' }, 'pt-BR': { name: 'Pedidos' } },
    },
  ])
  const articles = [
    ...(await get('/api/articles', token)),
    ...(await get('/api/articles?state=archived', token)),
  ] as Json[]
  const summary = articles
    .flatMap(({ collection_id, author_id, archived_at, translations }) =>
      translations.map(({ title, language, state, slug }: Json) => [
        ...[title, language, state, slug],
        ...[collection_id === collections[0].id, author_id, archived_at !== null],
      ]),
    )
    .sort()
  expect(summary).toEqual([
    ['Como pagar', 'pt-BR', 'published', '1700-2', true, 7, false],
    ['How to pay', 'en', 'published', '1700-1', true, 7, false],
    ['No longer', 'en', 'draft', '1700-4', false, null, true],
    ['Not yet', 'en', 'draft', '1700-3', false, null, false],
    ['Of the old help', 'en', 'draft', '1700-5', false, null, false],
  ])
  expect(output).toContain('1 article shows pictures of the old server')
  expect(output).toMatch(/articles.*\n.*1 × is too long/)
  expect(output).toContain('its articles are in the only help center of the company')
  expect((await server.request('GET', '/help/acme/en')).status).toBe(404)
  const changes = { help_center: { is_published: true } }
  expect((await server.request('PUT', '/api/help_center', { token, body: changes })).status).toBe(200)
  const page = await fetch(`${server.url}/help/acme/en/articles/1700-1`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('By <strong>card</strong>')])
})

test('a second import doubles nothing of what the team has set up, and leaves what it changed', async () => {
  await select(`update macros set name = 'Close it' where name = 'Close'; update rules set is_on = true where name = 'Refunds';
    update article_translations set title = 'Paying' where title = 'How to pay'`)
  const state = () =>
    select(`select 'macro' as kind, name from macros union all select 'rule', name || is_on from rules
      union all select 'view', name from conversation_views union all select 'article', title from article_translations
      union all select 'published', title from published_articles union all select 'collection', slug from article_collections order by 1, 2`)
  const before = await state()
  await runImport()
  expect(await state()).toEqual(before)
})
