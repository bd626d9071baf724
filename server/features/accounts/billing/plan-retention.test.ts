import { authSessions } from '#contract/accounts/auth-sessions.ts'
import type { SubscriptionPlan } from '#contract/accounts/plans.ts'
import { mails } from '#contract/mail/mails.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { PASSWORD, startConversation, startVisitor } from '#tests/support/world.ts'
import { applyRetention } from '../../customers/erasure/retention.ts'
import { updatePlanRetention } from './plan-retention.ts'

const test = base.extend('env', { scope: 'file' }, { BILLING: 'on' })

const DAY_MS = 86_400_000
const TODAY = Date.now()
const inDays = (days: number) => new Date(TODAY + days * DAY_MS)

/** A company with a closed conversation whose last message is this many days old. */
async function open(as: Callers, server: TestServer, company_name: string, age: number) {
  const email = `${company_name.toLowerCase()}@retention.test`
  const user = { company_name, email, password: PASSWORD, password_confirmation: PASSWORD }
  const { data } = await as.anybody(authSessions.register, { body: { user } })
  const visitor = await startVisitor(server, data.account_id)
  const { conversation_id } = await startConversation(server, visitor, 'Long ago')
  const { db } = server.context
  await db
    .updateTable('conversations')
    .set({ status: 'closed', closed_at: inDays(-age).toISOString(), last_activity_at: inDays(-age).toISOString() })
    .where('account_id', '=', data.account_id)
    .execute()
  return {
    setPlan: (subscription_plan: SubscriptionPlan) =>
      db.updateTable('accounts').set({ subscription_plan }).where('id', '=', data.account_id).execute(),
    /** Runs the nightly jobs of a day. */
    async night(day: number) {
      await updatePlanRetention(server.context, inDays(day))
      await applyRetention(server.context, inDays(day))
    },
    isStored: async () =>
      !!(await db
        .selectFrom('conversations')
        .select('id')
        .where('account_id', '=', data.account_id)
        .where('id', '=', conversation_id)
        .executeTakeFirst()),
    warnings: async () =>
      (await as.holder(data.token)(mails.list)).data
        .filter(({ kind }) => kind === 'billing')
        .map(({ subject }) => subject),
  }
}

test('conversations older than the plan keeps are deleted only two weeks after a warning mail', async ({
  as,
  server,
}) => {
  const { night, isStored, warnings } = await open(as, server, 'Warned', 40)
  await night(0)
  await night(1)
  expect(await warnings()).toEqual(['Your plan keeps closed conversations for 30 days'])
  await night(13)
  expect(await isStored()).toBe(true)
  await night(14.1)
  expect(await isStored()).toBe(false)
  expect(await warnings()).toHaveLength(1)
})

test('accounts with nothing to delete are not warned until there is something', async ({ as, server }) => {
  const { night, isStored, warnings } = await open(as, server, 'Young', 0)
  await night(0)
  expect(await warnings()).toEqual([])
  await night(17)
  expect(await warnings()).toHaveLength(1)
  await night(30.5)
  expect(await isStored()).toBe(true)
  await night(31.1)
  expect(await isStored()).toBe(false)
})

test('with a larger plan chosen in these two weeks nothing is deleted; lite keeps three months, team everything', async ({
  as,
  server,
}) => {
  const { setPlan, night, isStored, warnings } = await open(as, server, 'Upgrading', 40)
  await night(0)
  await setPlan('lite')
  await night(15)
  expect(await isStored()).toBe(true)
  await night(60)
  expect(await warnings()).toEqual([
    'Your plan keeps closed conversations for 90 days',
    'Your plan keeps closed conversations for 30 days',
  ])
  await setPlan('team')
  await night(400)
  expect(await isStored()).toBe(true)
})

test('a smaller plan warns again, and until then the retention of the previous plan applies', async ({
  as,
  server,
}) => {
  const { setPlan, night, isStored, warnings } = await open(as, server, 'Shrinking', 60)
  await setPlan('lite')
  await night(0)
  await setPlan('starter')
  await night(20)
  expect([await isStored(), (await warnings())[0]]).toEqual([true, 'Your plan keeps closed conversations for 30 days'])
  await night(34.1)
  expect(await isStored()).toBe(false)
})
