import { invitations } from '#contract/accounts/invitations.ts'
import { onboarding } from '#contract/accounts/onboarding.ts'
import { users } from '#contract/accounts/users.ts'
import { messages } from '#contract/conversations/messages.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { register, startConversation, startVisitor } from '#tests/support/world.ts'

const test = base.extend('readProgress', ({ as }) => () => {
  return as.olga(onboarding.status)
})

test('a new user has completed no step, and each step counts once completed', async ({ as, readProgress }) => {
  expect(await readProgress()).toMatchObject({
    has_configured_inbox: false,
    has_configured_profile: false,
    has_invited_teammates: false,
    has_integrations: false,
  })
  await as.olga(widgets.update, { body: { widget_settings: { title: 'Hello' } } })
  expect(await readProgress()).toMatchObject({ has_configured_inbox: true, has_configured_profile: false })
  await as.olga(users.updateProfile, { body: { user_profile: { display_name: 'Olga' } } })
  await as.olga(invitations.create)
  expect(await readProgress()).toMatchObject({ has_configured_profile: true, has_invited_teammates: true })
})

test('a chat that was opened on a website counts as set up', async ({ as, server }) => {
  const { token, account_id } = await register(server, 'Just begun', 'ida@begun.test')
  const read = () => as.holder(token)(onboarding.status)
  expect(await read()).toMatchObject({ has_configured_inbox: false })
  const widget_settings = { account_id, metadata: { host: 'shop.test', pathname: '/' } }
  await as.anybody(widgets.seen, { body: widget_settings })
  expect(await read()).toMatchObject({ has_configured_inbox: true })
})

test('the first answer stays done, also once newer conversations wait for one', async ({ as, server }) => {
  const { token, account_id } = await register(server, 'Long ago', 'lea@begun.test')
  const read = () => as.holder(token)(onboarding.status)
  const visitor = await startVisitor(server, account_id)
  const { conversation_id } = await startConversation(server, visitor)
  expect(await read()).toMatchObject({ has_answered: false })
  await as.holder(token)(messages.create, { body: { message: { conversation_id, body: 'Hello' } } })
  expect(await read()).toMatchObject({ has_answered: true })
  await startConversation(server, visitor, 'Anybody?')
  expect(await read()).toMatchObject({ has_answered: true })
})
