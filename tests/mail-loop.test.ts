import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { defineConsumer, defineFeature } from '#server/feature.ts'
import { wakeSender } from '#server/features/connections/deliveries/sender.ts'
import { postMessage } from '#server/features/conversations/conversations/posting.ts'
import { deriveId } from '#server/platform/secrets.ts'
import type { Json } from '#tests/support/server.ts'
import { freshWorld } from './support/database.ts'
import { KEY, startTestServer, type TestServer } from './support/server.ts'
import { freePort } from './support/server-process.ts'
import { createWorld, type World } from './support/world.ts'

/** Replies to every mail of a customer, as an auto-responder does. */
const answeringMachine = defineFeature({
  name: 'answering-machine',
  consumers: [
    defineConsumer('answering-machine', {
      of: ['message:created'],
      jobs: [],
      async consume(context, change, happened) {
        for (const { account_id, event } of happened) {
          const { id, customer_id, source, conversation_id } = event.message
          if (!customer_id || source !== 'email') continue
          const answer = { id: deriveId(`machine ${id}`), conversation_id, body: 'We are closed until Monday.' }
          await postMessage(context, change, account_id, { kind: 'bot', user_id: null }, answer)
        }
      },
    }),
  ],
})

const [firstPort, secondPort] = [await freePort(), await freePort()]

/** A server with the address at which its installation receives mail. */
interface Installation {
  server: TestServer
  world: World
  address: string
}

/**
 * An installation that receives mail at its own domain and sends through the other one. It sends from the address at
 * which it receives: nothing proves its mails here, so they are answered at the address in From.
 */
async function install(
  domain: string,
  [own, next]: [number, number],
  more: Record<string, string> = {},
): Promise<Installation> {
  const database = await freshWorld()
  const settings = { BASE_URL: `http://${domain}`, MAIL_IN_DOMAIN: domain, ...more }
  const first = await startTestServer(settings, undefined, database)
  const world = await createWorld(first)
  const { body } = await first.request('POST', '/api/forwarding_addresses', {
    token: world.ada.token,
    body: { forwarding_address: { source_email_address: `support@${domain}` } },
  })
  await first.close()
  const address: string = body.data.forwarding_email_address
  const mail = { MAIL_IN_PORT: String(own), SMTP_URL: `smtp://127.0.0.1:${next}`, MAIL_FROM: `Support <${address}>` }
  const server = await startTestServer({ ...settings, ...mail }, answeringMachine, database)
  afterAll(async () => {
    await server.close()
    await database.drop()
  })
  return { server, world, address }
}
const installations = [
  await install('one.test', [firstPort, secondPort]),
  await install('other.test', [secondPort, firstPort], {
    SECRET_KEY: 'the key of the other installation, of its own',
    PREVIOUS_SECRET_KEY: KEY.SECRET_KEY,
  }),
] as const
const servers = [installations[0].server, installations[1].server] as const

test('two Parleys that reply automatically to each other stop after three mails', async () => {
  const [first, second] = servers
  const firstWorld = installations[0].world
  const { id: account_id } = firstWorld.acme
  const call = async (server: TestServer, token: string, path: string, body: object): Promise<Json> => {
    const answer = await server.request('POST', path, { token, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data
  }
  const email = installations[1].address
  const customer = await call(first, firstWorld.ada.token, '/api/customers', {
    customer: { account_id: firstWorld.acme.id, name: 'Other', email },
  })
  await call(first, firstWorld.ada.token, '/api/conversations', {
    conversation: {
      inbox_id: firstWorld.website.id,
      customer_id: customer.id,
      source: 'email',
      subject: 'An order',
      message: { body: 'Can you deliver on Friday?' },
    },
  })
  await expect.poll(() => sentBy(second, account_id), { timeout: 40_000 }).toBe(1)
  await expect
    .poll(() => Promise.all(servers.map((server) => isAtRest(server, account_id))), { timeout: 40_000 })
    .toEqual([true, true])
  expect(await Promise.all(servers.map((server) => sentBy(server, account_id)))).toEqual([1, 1])
  // The automatic reply is shown to the team, but notifies nobody.
  const { body } = await first.request('GET', '/api/conversations?source=email', { token: firstWorld.ada.token })
  const messages = body.data[0].messages.map((message: Json) => [message.type, message.private, message.body])
  expect(messages).toHaveLength(2)
  expect(messages.at(-1)).toEqual(['bot', true, expect.stringContaining('We are closed until Monday.')])
})

/** How many mails about conversations were sent. The delay for taking a reply back is skipped. */
async function sentBy({ context }: TestServer, account_id: string): Promise<number> {
  await sql`update deliveries set not_before = clock_timestamp() where account_id = ${account_id} and tries = 0`.execute(
    context.db,
  )
  wakeSender(context)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from deliveries where account_id = ${account_id} and integration = 'ses' and state = 'sent'`.execute(
    context.db,
  )
  return rows[0]!.count
}

/** Whether nothing is left to send or read, and every consumer is up to date. */
async function isAtRest({ context }: TestServer, account_id: string): Promise<boolean> {
  const { rows } = await sql<{ isBusy: boolean }>`
    select exists (select from deliveries where account_id = ${account_id} and state = 'waiting')
      or exists (select from inbound_events where account_id = ${account_id} and state = 'waiting')
      or exists (select from event_followers f join events e on e.account_id = ${account_id} and (e.xid, e.id) > (f.xid::xid8, f.id)
        where f.name in ('deliveries.plan', 'answering-machine')) as "isBusy"`.execute(context.db)
  return !rows[0]!.isBusy
}
