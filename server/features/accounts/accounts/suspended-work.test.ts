import { randomUUID } from 'node:crypto'
import { integrations } from '#contract/connections/integrations.ts'
import { functions } from '#contract/developers/functions.ts'
import { eventSubscriptions } from '#contract/developers/webhooks.ts'
import { fakeIntegration } from '#tests/support/fake-integration.ts'
import { type Caller, expect } from '#tests/support/fixture.ts'
import { test as base, startFunction } from '#tests/support/functions.ts'
import { passTime } from '#tests/support/pass-time.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startReceiver } from '#tests/support/webhook-receiver.ts'
import { passTime as passWebhookTime } from '#tests/support/webhooks.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { connectAuthorization } from '../../connections/authorizations/connect.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { recoverRuns } from '../../developers/functions/run-queue.ts'
import { setSuspended } from './suspension.ts'

const TIMEOUT = { timeout: 30_000, interval: 50 }
const fake = fakeIntegration()

/** A company with a webhook, a function and a connected system, and a customer who writes. */
async function makeCompany(server: TestServer, admin: Caller, account_id: string, user_id: number) {
  const { context } = server
  const { customer_id, ...visitor } = await startVisitor(server, account_id, { name: 'Walker' })
  const { conversation_id } = await startConversation(server, { customer_id, ...visitor })
  const receiver = await startReceiver()
  const { data: webhook } = await admin(eventSubscriptions.create, {
    body: { event_subscription: { webhook_url: `${receiver.url}/hook` } },
  })
  const lambda = await startFunction(admin, 'exports.handler = ({ payload }) => payload.body')
  const user = { kind: 'user' as const, account_id, user_id, role: 'admin' as const }
  const connection = await context.change((tx) =>
    connectAuthorization(context, tx, { ...user, session_id: randomUUID(), address: '127.0.0.1' } as never, {
      integration: 'mattermost',
      inbox_id: null,
      label: '#support',
      address: account_id,
      credentials: { token: 'a token' },
    }),
  )
  return {
    // By the function itself, because a suspended company's visitors find nothing.
    write: (body: string) =>
      context.change((tx) =>
        postMessage(context, tx, account_id, { kind: 'customer', customer_id }, { conversation_id, body }),
      ),
    /** Which of the three have received a message. */
    receivers: async (body: string) => {
      // From the database, because a suspended company's admins are refused.
      const runs = await ofAccount(context.db, account_id).selectFrom('function_runs').selectAll().execute()
      return {
        webhook: receiver.received.some((request) => request.body.payload?.body === body),
        function: runs.some(({ state, result }) => state === 'succeeded' && result === body),
        system: fake.sent.some(({ payload }) => payload.body === body),
      }
    },
    remove: async () => {
      await admin(eventSubscriptions.remove, { params: { id: webhook.id } })
      await admin(functions.remove, { params: { id: lambda.id } })
      await admin(integrations.remove, { params: { id: connection.id }, query: { discard: 'true' } })
      await receiver.close()
    },
  }
}

const test = base
  .extend('extra', { scope: 'file' }, { feature: fake.feature })
  .extend('acme', ({ as, server, world }, { onCleanup }) => {
    const company = makeCompany(server, as.ada, world.acme.id, world.ada.id)
    onCleanup(async () => {
      await server.context.change((tx) => setSuspended(server.context, tx, world.acme.id, false))
      await (await company).remove()
    })
    return company
  })
  .extend('other', ({ as, server, world }, { onCleanup }) => {
    const company = makeCompany(server, as.olga, world.other.id, world.olga.id)
    onCleanup(async () => (await company).remove())
    return company
  })

const ALL = { webhook: true, function: true, system: true }
const NONE = { webhook: false, function: false, system: false }

test('webhooks, functions and connected systems get nothing of a suspended company, and all of it once it is resumed', {
  timeout: 120_000,
}, async ({ server, world, acme, other }) => {
  const { context } = server
  const setAcme = (suspended: boolean) => context.change((tx) => setSuspended(context, tx, world.acme.id, suspended))
  /** Who has received a message, after everything that is due was tried. */
  const receiversOf = async (company: typeof acme, body: string) => {
    await passTime(server)
    await passWebhookTime(server, 0)
    await recoverRuns(context)
    return company.receivers(body)
  }
  await setAcme(true)
  await acme.write('While suspended')
  // Written later, so whatever works in order has come to the first one when this one has arrived.
  await other.write('Not suspended')
  await expect.poll(() => receiversOf(other, 'Not suspended'), TIMEOUT).toEqual(ALL)
  expect(await receiversOf(acme, 'While suspended')).toEqual(NONE)
  await setAcme(false)
  await expect.poll(() => receiversOf(acme, 'While suspended'), TIMEOUT).toEqual(ALL)
})
