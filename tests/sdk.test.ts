import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import type { authSessions } from '#contract/accounts/auth-sessions.ts'
import type { files } from '#contract/conversations/files.ts'
import type { companies } from '#contract/customers/companies.ts'
import type { customerProfiles } from '#contract/customers/customer-profiles.ts'
import type { customers } from '#contract/customers/customers.ts'
import { tags } from '#contract/customers/tags.ts'
import { apiKeys } from '#contract/developers/api-keys.ts'
import type { Answer, BodyInput, Endpoint, QueryInput } from '#contract/endpoint.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { createApiKey } from '#tests/support/world.ts'
import { readCalls } from '../bin/sdk.ts'
import { buildSdk } from '../bin/sdk-package.ts'
import type { Options, Settings } from '../sdk/src/call.ts'
import { type Client, createClient } from '../sdk/src/client.ts'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  ParleyError,
  PermissionError,
  RateLimitError,
  ValidationError,
} from '../sdk/src/errors.ts'
import { CursorLost, type EventsPage } from '../sdk/src/events.ts'
import type { Pages } from '../sdk/src/pages.ts'
import { verifyWebhook } from '../sdk/src/webhooks.ts'

type Data<E extends Endpoint> = Answer<E> extends { data: infer D } ? D : never
type List<E extends Endpoint> = Data<E> extends (infer Item)[] ? Pages<Item> : never

/** The calls of these tests, as the contract declares them; those of the package are written by its build. */
interface Api {
  audit: { export(): Promise<string> }
  companies: {
    create(input: BodyInput<typeof companies.create>['company']): Promise<Data<typeof companies.create>>
    retrieve(id: string): Promise<Data<typeof companies.get>>
    update(
      id: string,
      input: BodyInput<typeof companies.update>['company'],
      options?: Options,
    ): Promise<Data<typeof companies.update>>
    destroy(id: string): Promise<void>
  }
  customers: {
    create(input: Partial<BodyInput<typeof customers.create>['customer']>): Promise<Data<typeof customers.create>>
    list(query?: QueryInput<typeof customerProfiles.list>): List<typeof customerProfiles.list>
  }
  events: {
    page(input?: { after?: string }, options?: Options): Promise<EventsPage<{ event: string; payload: unknown }>>
  }
  files: { upload(input: { file: Blob }): Promise<Data<typeof files.upload>> }
  tags: {
    create(input: BodyInput<typeof tags.create>['tag'], options?: Options): Promise<Data<typeof tags.create>>
    list(query?: { limit?: number }, options?: Options): List<typeof tags.list>
  }
  users: { me(): Promise<Data<typeof authSessions.me>> }
}
type Parley = Client<Api>
const calls = await readCalls()
const createParley = (settings: Settings) => createClient<Api>(calls, settings)

const test = base
  .extend('key', { scope: 'file' }, ({ server, world }) => createApiKey(server, world.ada.token))
  .extend('parley', { scope: 'file' }, ({ server, key }): Parley => createParley({ host: server.url, key, retries: 0 }))

/** A server that gives these answers one after the other, and records its requests. */
async function answering(...answers: { status: number; headers?: Record<string, string>; body?: unknown }[]) {
  const requests: { method: string | undefined; url: string | undefined; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method, url: request.url, key: request.headers['idempotency-key'] as string })
    const answer = answers[requests.length - 1]
    if (!answer) return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body ?? {}))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, requests, close: () => new Promise((done) => server.close(done)) }
}

test('a key acts as its admin, and things can be created, read, changed and deleted', async ({ parley, world }) => {
  expect(await parley.me()).toMatchObject({ email: world.ada.email, role: 'admin' })
  const { id } = await parley.companies.create({ name: 'Harbour Studio' })
  expect(await parley.companies.update(id, { description: 'Architects' })).toMatchObject({ name: 'Harbour Studio' })
  expect(await parley.companies.retrieve(id)).toMatchObject({ description: 'Architects' })
  expect(await parley.companies.destroy(id)).toBeUndefined()
  await expect(parley.companies.retrieve(id)).rejects.toBeInstanceOf(NotFoundError)
})

test('a list is awaited page by page, or walked through as a whole', async ({ parley }) => {
  for (let i = 0; i < 5; i++) await parley.tags.create({ name: `tag ${i}` })
  const all = (await parley.tags.list()).data.map(({ id }) => id)
  const first = await parley.tags.list({ limit: 2 })
  expect(first.data.map(({ id }) => id)).toEqual(all.slice(0, 2))
  expect(first.next).toEqual(expect.any(String))
  const walked: string[] = []
  for await (const { id } of parley.tags.list({ limit: 2 })) walked.push(id)
  expect(walked).toEqual(all)
  expect((await parley.tags.list({ limit: 2 }).all(3)).map(({ id }) => id)).toEqual(all.slice(0, 3))
})

test('a list with numbered pages is walked through as well', async ({ parley }) => {
  for (let i = 0; i < 3; i++) await parley.customers.create({ name: `Guest ${i}`, email: `guest${i}@example.com` })
  const { data } = await parley.customers.list({ page_size: 1 })
  expect(data).toHaveLength(1)
  const walked = await parley.customers.list({ page_size: 1 }).all()
  expect(new Set(walked.map(({ id }) => id)).size).toBe(walked.length)
  expect(walked.filter(({ name }) => name?.startsWith('Guest'))).toHaveLength(3)
})

test('a file is uploaded with its name', async ({ parley }) => {
  const file = new File(['Dear customer'], 'letter.txt', { type: 'text/plain' })
  expect(await parley.files.upload({ file })).toMatchObject({ filename: 'letter.txt' })
})

test('a CSV file is returned as text', async ({ parley }) => {
  expect(await parley.audit.export()).toMatch(/^\uFEFF?\w+,/)
})

test('refusals are errors by their kind, with the sentence of the server and what is wrong with each field', async ({
  parley,
  server,
  world,
  as,
}) => {
  const refused = await parley.tags.create({ name: '' }).catch((error) => error)
  expect(refused).toBeInstanceOf(ValidationError)
  expect(refused).toMatchObject({ status: 422, errors: { name: ["can't be blank"] }, requestId: expect.any(String) })
  const stranger = createParley({ host: server.url, key: 'parley_key_unknown', retries: 0 })
  await expect(stranger.me()).rejects.toBeInstanceOf(AuthenticationError)
  const body = { label: 'reads', scope: 'read' as const }
  const reader = createParley({
    host: server.url,
    key: (await as.ada(apiKeys.create, { body })).data.value,
    retries: 0,
  })
  await expect(reader.tags.create({ name: 'x' })).rejects.toBeInstanceOf(PermissionError)
  expect((await reader.me()).email).toBe(world.ada.email)
  await expect(parley.companies.retrieve('nonsense')).rejects.toBeInstanceOf(ParleyError)
})

test('an update that would overwrite what somebody else changed is refused', async ({ parley }) => {
  const { id } = await parley.companies.create({ name: 'Shared' })
  await expect(parley.companies.update(id, { name: 'Mine' }, { ifMatch: '"of before"' })).rejects.toBeInstanceOf(
    ConflictError,
  )
})

test('two calls with the same idempotency key take effect once', async ({ parley, as }) => {
  const options = { idempotencyKey: 'one tag' }
  const first = await parley.tags.create({ name: 'once' }, options)
  expect(await parley.tags.create({ name: 'once' }, options)).toEqual(first)
  const { data } = await as.ada(tags.list)
  expect(data.filter(({ name }) => name === 'once')).toHaveLength(1)
})

test('a call is retried with the same key if it gets no response, or the server is busy or fails', async () => {
  const busy = { status: 429, headers: { 'retry-after': '0.01' } }
  const done = { status: 201, body: { data: { id: '1' } } }
  const stub = await answering(busy, { status: 503, headers: { 'retry-after': '0' } }, done)
  const parley = createParley({ host: stub.host, key: 'k' })
  expect(await parley.tags.create({ name: 'x' })).toEqual({ id: '1' })
  expect(stub.requests).toHaveLength(3)
  expect(new Set(stub.requests.map(({ key }) => key)).size).toBe(1)
  await stub.close()
})

test('errors that a retry cannot fix are not retried, and retrying ends', async () => {
  const stub = await answering({ status: 422, body: { error: { message: 'No.' } } }, { status: 409 })
  const parley = createParley({ host: stub.host, key: 'k', retries: 1 })
  await expect(parley.tags.create({ name: 'x' })).rejects.toThrow('No.')
  await expect(parley.tags.create({ name: 'x' })).rejects.toBeInstanceOf(ConflictError)
  expect(stub.requests).toHaveLength(2)
  // From here on the server hangs up.
  await expect(parley.tags.list()).rejects.toBeInstanceOf(ConnectionError)
  expect(stub.requests).toHaveLength(4)
  await stub.close()
  const limited = await answering({ status: 429, headers: { 'retry-after': '0' } }, { status: 429 })
  const hurried = createParley({ host: limited.host, key: 'k', retries: 1 })
  await expect(hurried.tags.list()).rejects.toBeInstanceOf(RateLimitError)
  await limited.close()
})

test('an aborted call ends at once', async () => {
  const stub = await answering({ status: 503, headers: { 'retry-after': '20' } })
  const parley = createParley({ host: stub.host, key: 'k' })
  const ending = new AbortController()
  const call = parley.tags.list({}, { signal: ending.signal })
  setTimeout(() => ending.abort(new Error('enough')), 50)
  await expect(call).rejects.toThrow('enough')
  await stub.close()
})

test('without a key or a host the error says what is missing', () => {
  expect(() => createParley({ host: 'https://support.example.com' })).toThrow('PARLEY_API_KEY')
  expect(() => createParley({ key: 'k' })).toThrow('PARLEY_HOST')
})

test('events come in order from a cursor, and continue from a stored one', async ({ parley }) => {
  const { cursor: after } = await parley.eventsNow()
  const made: string[] = []
  for (const name of ['Ann', 'Ben', 'Cid']) made.push((await parley.customers.create({ name })).id)
  // While a transaction is open somewhere, the cursor stays before it: earlier events may come, and any may come twice.
  const received = new Map<string, string>()
  for await (const { event, payload, cursor } of parley.events({ after, pause: 20 })) {
    const { id } = payload as { id: string }
    if (event === 'customer:updated' && made.includes(id) && !received.has(id)) received.set(id, cursor)
    if (received.size === made.length) break
  }
  expect([...received.keys()]).toEqual(made)
  const { id } = await parley.customers.create({ name: 'Dee' })
  const again: unknown[] = []
  for await (const { payload } of parley.events({ after: received.get(made.at(-1)!)!, pause: 20 })) {
    again.push((payload as { id: string }).id)
    if (again.at(-1) === id) break
  }
  expect(again).toContain(id)
  const lost = parley.events({ after: 'no cursor' })[Symbol.asyncIterator]()
  await expect(lost.next()).rejects.toBeInstanceOf(CursorLost)
})

test('a webhook is accepted only with a recent signature by its secret', async () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`
  const body = JSON.stringify({ event: 'message:created', payload: { body: 'Xin chào' } })
  const signed = (at = new Date(), by = secret, text = body) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('msg_1', at, text),
  })
  expect(await verifyWebhook(body, signed(), secret)).toEqual(JSON.parse(body))
  const rotating = { ...signed(), 'Webhook-Signature': `v1,${btoa('x'.repeat(32))} ${signed()['webhook-signature']}` }
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(rotating), secret)).toEqual(JSON.parse(body))
  for (const [text, headers] of [
    [`${body} `, signed()],
    [body, signed(new Date(), `whsec_${btoa('another secret')}`)],
    [body, signed(new Date(Date.now() - 600_000))],
    [body, { ...signed(), 'webhook-id': 'msg_2' }],
    [body, {}],
  ] as const) {
    await expect(verifyWebhook(text, headers, secret)).rejects.toMatchObject({ name: 'WebhookVerificationError' })
  }
})

const README = readFileSync(join(import.meta.dirname, '../sdk/README.md'), 'utf8')
/** The examples of the README, each with its heading. */
const examples = README.split(/^## /m).map((part) => [
  part.split('\n', 1)[0],
  /^```ts\n([\s\S]*?)^```$/m.exec(part)?.[1] ?? '',
])

test('the package can be imported with its types by every kind of program, and the README’s examples run with it', async ({
  server,
  key,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sdk-'))
  try {
    const installed = join(folder, 'node_modules/@parley/sdk')
    await mkdir(installed, { recursive: true })
    await buildSdk(installed)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const names = examples.map((_, at) => `example-${at}.ts`)
    for (const [at, [, code]] of examples.entries()) await writeFile(join(folder, names[at]!), code!)
    const run = promisify(execFile)
    const types = resolve(import.meta.dirname, '../node_modules/@types')
    const tsc = resolve(import.meta.dirname, '../node_modules/typescript/bin/tsc')
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom,dom.iterable',
    ]
    await run(process.execPath, [tsc, ...options, '--typeRoots', types, '--types', 'node', ...names], { cwd: folder })
    for (const [at, [title, code]] of examples.entries()) {
      const env = { ...process.env, PARLEY_HOST: server.url, PARLEY_API_KEY: key }
      const { stdout } = await run(process.execPath, [names[at]!], { cwd: folder, env })
      for (const [, printed] of code!.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm))
        expect(stdout, title).toContain(printed)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 180_000)
