import { randomUUID } from 'node:crypto'
import { accounts } from '#contract/accounts/accounts.ts'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { invitations } from '#contract/accounts/invitations.ts'
import type { SubscriptionPlan } from '#contract/accounts/plans.ts'
import { team } from '#contract/accounts/team.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { PASSWORD } from '#tests/support/world.ts'

const test = base.extend('env', { scope: 'file' }, { BILLING: 'on' })

const NO_SEAT =
  "You've hit the user limit for our free tier. Try the premium plan free for 14 days to invite more users to your account!"
const NO_SEAT_TO_JOIN =
  'Your account has reached the capacity for its current subscription plan. Please contact your admin to upgrade the account.'

/** A new person, in a new account or in the one that invited them. */
async function enter(as: Callers, fields: { company_name: string } | { invite_token: string }) {
  const user = { email: `${randomUUID()}@new.test`, password: PASSWORD, password_confirmation: PASSWORD, ...fields }
  const { data } = await as.anybody(authSessions.register, { body: { user } })
  return { ...data, call: as.holder(data.token) }
}

function setPlan({ context }: TestServer, account_id: string, subscription_plan: SubscriptionPlan) {
  return context.db.updateTable('accounts').set({ subscription_plan }).where('id', '=', account_id).execute()
}

test('where plans are sold a new account is on the starter plan', async ({ as }) => {
  const { call } = await enter(as, { company_name: 'New' })
  expect((await call(accounts.mine)).data.subscription_plan).toBe('starter')
})

test('a starter plan has two seats; a third user cannot be invited, nor join by an older invitation', async ({
  as,
}) => {
  const boss = await enter(as, { company_name: 'Small' })
  const invite = async () => (await boss.call(invitations.create)).data.token!
  const older = await invite()
  await enter(as, { invite_token: await invite() })
  await expect(invite()).rejects.toMatchObject({ status: 403, message: NO_SEAT })
  const check = as.anybody(invitations.check, { body: { invite_token: older } })
  await expect(check).rejects.toMatchObject({ status: 403, message: NO_SEAT_TO_JOIN })
  await expect(enter(as, { invite_token: older })).rejects.toMatchObject({ status: 403, message: NO_SEAT_TO_JOIN })
})

test('a lite plan has four seats, and a team plan any number', async ({ as, server }) => {
  const boss = await enter(as, { company_name: 'Growing' })
  const join = async () => enter(as, { invite_token: (await boss.call(invitations.create)).data.token! })
  await setPlan(server, boss.account_id, 'lite')
  for (let seat = 2; seat <= 4; seat++) await join()
  await expect(join()).rejects.toMatchObject({ message: NO_SEAT })
  await setPlan(server, boss.account_id, 'team')
  for (let seat = 5; seat <= 11; seat++) await join()
})

test('no user can be enabled beyond the seats of the plan', async ({ as, server }) => {
  const boss = await enter(as, { company_name: 'Full house' })
  const join = async () => enter(as, { invite_token: (await boss.call(invitations.create)).data.token! })
  const away = await join()
  const enable = () => boss.call(team.enable, { params: { id: away.user_id } })
  await boss.call(team.disable, { params: { id: away.user_id } })
  await join()
  await expect(enable()).rejects.toMatchObject({ status: 403, reason: 'no_seat' })
  await setPlan(server, boss.account_id, 'lite')
  expect((await enable()).data.disabled_at).toBeNull()
})
