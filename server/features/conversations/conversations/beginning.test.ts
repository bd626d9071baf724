import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customers } from '#contract/customers/customers.ts'
import { events } from '#contract/events.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { storeMail } from '#server/features/mail/forwarding-addresses/routing.ts'
import { expectBeginning } from '#tests/support/beginning.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { allProcessed, RELAY_KEY, writeMail } from '#tests/support/incoming-mail.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const test = base.extend('env', { scope: 'file' }, { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY })

test('a conversation in the chat is announced without messages, then its first message is', async ({
  as,
  server,
  world,
}) => {
  const { cursor } = await as.ben(events.after)
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor, 'Hello')
  await expectBeginning(as, cursor, conversation_id)
})

test('one that a program starts is announced first, with its message in the same call or in a later one', async ({
  as,
  world,
}) => {
  const draft = { account_id: world.acme.id, name: 'Imported', email: 'imported@begins.test' }
  const { id: customer_id } = (await as.ada(customers.create, { body: { customer: draft } })).data
  const { cursor } = await as.ben(events.after)
  const begin = async (more: object) => {
    const conversation = { account_id: world.acme.id, customer_id, ...more }
    return (await as.ada(conversations.create, { body: { conversation } })).data.id
  }
  await expectBeginning(as, cursor, await begin({ message: { body: 'We have moved.' } }))
  const conversation_id = await begin({})
  await as.ada(messages.create, { body: { message: { conversation_id, body: 'We have moved again.' } } })
  await expectBeginning(as, cursor, conversation_id)
})

test.for([
  ['a mail', {} as Record<string, string>],
  ['a form on a website, which sends mails', { 'Reply-To': 'Writer <writer@form.test>' }],
] as const)('one that begins with %s is announced first', async ([kind, more], { as, server }) => {
  const source_email_address = `${kind.length}@acme.test`
  const forwarding_address = { source_email_address }
  const { data: address } = await as.ada(forwardingAddresses.create, { body: { forwarding_address } })
  const { cursor } = await as.ben(events.after)
  const subject = `Begins with ${kind}`
  const headers = { Subject: subject, ...more }
  const raw = writeMail({ from: 'Mia <mia@begins.test>', to: source_email_address, text: 'Hello', headers })
  await storeMail(server.context, {
    raw: Buffer.from(raw),
    recipients: [address.forwarding_email_address],
    from: 'mia@begins.test',
    proof: { result: 'none', domain: null },
  })
  await allProcessed(server)
  const { data } = await as.ben(conversations.list, { query: { source: 'email' } })
  const conversation = data.find((item) => item.subject === subject)
  expect(conversation).toBeDefined()
  await expectBeginning(as, cursor, conversation!.id)
})
