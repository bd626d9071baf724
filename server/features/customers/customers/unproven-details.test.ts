import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { visitorConversations } from '#contract/conversations/visitor-conversations.ts'
import { attributes } from '#contract/customers/attributes.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { events } from '#contract/events.ts'
import { test } from '#tests/support/claims.ts'
import { expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

// The inbox has a secret, so the website could sign; unsigned data is checked nevertheless.
test.beforeAll(({ secret: _ }) => {})

test('a browser overwrites no values of the team, compared key by key in metadata', async ({
  as,
  world,
  server,
  updateMetadata,
  read,
}) => {
  const visitor = await startVisitor(server, world.acme.id, {
    name: 'Zoe',
    email: 'zoe@customer.test',
    metadata: { plan: 'trial', city: 'Hue' },
  })
  await as.ada(customerProfiles.update, {
    params: { id: visitor.customer_id },
    body: {
      customer: { name: 'Zoe Zimt', email: 'zoe@work.test', metadata: { plan: 'plus', city: 'Hue', risk: 'low' } },
    },
  })
  const details = { name: 'Z', email: 'z@mail.test', phone: '77', metadata: { plan: 'free', city: 'Hoi An' } }
  await updateMetadata(visitor.customer_id, details, as.holder(visitor.token))
  expect(await read(visitor.customer_id)).toMatchObject({
    name: 'Zoe Zimt',
    email: 'zoe@work.test',
    phone: '77',
    metadata: { plan: 'plus', city: 'Hoi An', risk: 'low' },
  })
})

test('a visitor reads only what its browser reported, and nothing the team entered', async ({
  as,
  world,
  server,
  updateMetadata,
  conversationsOf,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Ugo', phone: '5', metadata: { plan: 'trial' } })
  const { conversation_id } = await startConversation(server, visitor, 'Who am I?')
  const company = (await as.ada(companies.create, { body: { company: { name: 'Secretive' } } })).data
  await as.ada(customerProfiles.update, {
    params: { id: visitor.customer_id },
    body: {
      customer: {
        name: 'Ugo (quince)',
        email: 'quince@work.test',
        metadata: { plan: 'trial', note: 'quince' },
        company_id: company.id,
      },
    },
  })
  await as.ada(conversations.update, {
    params: { id: conversation_id },
    body: {
      conversation: { metadata: { crm: 'quince' }, priority: 'priority' },
    },
  })
  const metadata = { mentions: [{ id: 1, name: 'quince' }], gmail_bcc: 'quince', quick_replies: [{ text: 'a' }] }
  await as.ada(messages.create, { body: { message: { conversation_id, body: 'Hello', metadata } } })
  await as.ada(customerProfiles.block, { params: { id: visitor.customer_id } })
  const asVisitor = as.holder(visitor.token)
  const mine = await asVisitor(customers.mine)
  const listed = await asVisitor(messages.list, { query: { conversation_id } })
  const answers = [
    mine,
    await updateMetadata(visitor.customer_id, { browser: 'Firefox' }, asVisitor),
    listed,
    await asVisitor(visitorConversations.list),
    await asVisitor(events.after, { query: { after: '0' } }),
    await conversationsOf(visitor.customer_id, asVisitor),
  ]
  for (const answer of answers) {
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(`quince|${company.id}|"priority":"priority"`))
  }
  expect(mine.data).toMatchObject({ name: null, phone: '5', metadata: { plan: 'trial' }, blocked_at: null })
  expect(listed.data[0]?.metadata).toEqual({ quick_replies: [{ text: 'a' }] })
  await as.ada(customerProfiles.unblock, { params: { id: visitor.customer_id } })
  const again = await asVisitor(conversations.create, { body: { conversation: { id: conversation_id } } })
  expect(again.data).toMatchObject({ metadata: null, priority: 'not_priority' })
})

test('a caller who knows only an id gets back only the values of the call', async ({
  as,
  world,
  claim,
  conversationsOf,
}) => {
  const first = await claim({ external_id: 'old-1', name: 'Olaf', email: 'olaf@customer.test', phone: '9' })
  const guess = await claim({ external_id: 'old-1', browser: 'Firefox' })
  expect(guess).toMatchObject({ id: first.id, browser: 'Firefox', name: null, email: null, phone: null })
  await as.anybody(conversations.create, {
    body: { conversation: { account_id: world.acme.id, customer_id: first.id } },
  })
  expect(JSON.stringify(await conversationsOf(first.id))).not.toContain('olaf@')
})

test('a guessable id cannot change an e-mail address, an unguessable one can change its own', async ({
  as,
  world,
  claim,
  updateMetadata,
  read,
  mailedTo,
}) => {
  const customer = await claim({ external_id: 'old-2', email: 'otto@customer.test' })
  const conversation = { account_id: world.acme.id, customer_id: customer.id }
  const started = await as.anybody(conversations.create, { body: { conversation } })
  await claim({ external_id: 'old-2', email: 'evil@mail.test' })
  await updateMetadata(customer.id, { email: 'evil@mail.test' })
  expect((await read(customer.id)).email).toBe('otto@customer.test')
  expect(await mailedTo(started.data.id)).toBe('otto@customer.test')
  const unknown = await claim({ email: 'first@customer.test' })
  await updateMetadata(unknown.id, { email: 'second@customer.test' })
  expect((await read(unknown.id)).email).toBe('second@customer.test')
})

test('the first e-mail address for an external id is stored as unproven, and later ones are not', async ({
  as,
  claim,
  updateMetadata,
  read,
  addByTeam,
  switchTo,
  identify,
}) => {
  const late = await claim({ external_id: 'late-mail' })
  const answer = await updateMetadata(late.id, { email: 'first@late.test' })
  expect(answer.data).toMatchObject({ email: 'first@late.test', company: null, tags: [] })
  const stored = await read(late.id)
  expect(stored.email).toBe('first@late.test')
  expect(stored.field_sources).not.toHaveProperty('email')
  await updateMetadata(late.id, { email: 'second@late.test' })
  await claim({ external_id: 'late-mail', email: 'third@late.test' })
  expect((await read(late.id)).email).toBe('first@late.test')

  const race = await claim({ external_id: 'late-race' })
  const sent = ['a@late.test', 'b@late.test', 'c@late.test']
  await Promise.all(sent.map((email) => updateMetadata(race.id, { email })))
  const { email } = await read(race.id)
  await updateMetadata(race.id, { email: sent.find((address) => address !== email) })
  expect((await read(race.id)).email).toBe(email)

  const other = await addByTeam({ name: 'Owner', email: 'owner@late.test' })
  const borrower = await claim({ external_id: 'late-borrower' })
  await updateMetadata(borrower.id, { email: 'owner@late.test' })
  expect(await read(borrower.id)).toMatchObject({ id: borrower.id, claimed_customer_id: other.id })
  expect((await read(other.id)).id).toBe(other.id)

  const byTeam = await addByTeam({ name: 'Of the team', external_id: 'late-team' })
  await switchTo(true)
  try {
    expect(await identify('late-team')).toBe(byTeam.id)
    await claim({ external_id: 'late-team', email: 'evil@late.test' })
    expect((await read(byTeam.id)).email).toBe(null)
  } finally {
    await switchTo(false)
  }
  const changed = await as.ada(customers.updateMetadata, {
    params: { id: byTeam.id },
    body: { metadata: { name: 'New' } },
  })
  expect(changed.data).toMatchObject({ name: 'New', company: null, tags: [] })
})

test('replies go to the address given by the browser of the conversation, also after a merge by the team', async ({
  as,
  world,
  server,
  updateMetadata,
  mailedTo,
}) => {
  const phone = await startVisitor(server, world.acme.id, { email: 'phone@customer.test' })
  const laptop = await startVisitor(server, world.acme.id)
  const fromPhone = (await startConversation(server, phone, 'From my phone')).conversation_id
  const fromLaptop = (await startConversation(server, laptop, 'From my laptop')).conversation_id
  await updateMetadata(laptop.customer_id, { email: 'laptop@customer.test' }, as.holder(laptop.token))
  await as.ada(customerProfiles.merge, { params: { id: laptop.customer_id }, body: { customer_id: phone.customer_id } })
  expect([await mailedTo(fromPhone), await mailedTo(fromLaptop)]).toEqual([
    'phone@customer.test',
    'laptop@customer.test',
  ])
  await updateMetadata(laptop.customer_id, { email: 'evil@mail.test' }, as.holder(phone.token))
  expect([await mailedTo(fromPhone), await mailedTo(fromLaptop)]).toEqual(['evil@mail.test', 'laptop@customer.test'])
  await as.ada(customerProfiles.update, {
    params: { id: laptop.customer_id },
    body: { customer: { email: 'right@customer.test' } },
  })
  expect([await mailedTo(fromPhone), await mailedTo(fromLaptop)]).toEqual([
    'right@customer.test',
    'right@customer.test',
  ])
})

test('a merge by the team never makes an unproven address receive mail', async ({
  as,
  world,
  server,
  addByTeam,
  startByTeam,
  mailedTo,
}) => {
  const customer = await addByTeam({ name: 'Without', external_id: 'no-mail' })
  const conversation_id = await startByTeam(customer.id)
  const visitor = await startVisitor(server, world.acme.id, { external_id: 'no-mail', email: 'evil@mail.test' })
  await as.ada(customerProfiles.merge, { params: { id: customer.id }, body: { customer_id: visitor.customer_id } })
  expect(await mailedTo(conversation_id)).toBe(undefined)
})

test('a first proof creates a customer from its claims; whoever merely claimed them keeps only their own conversation', async ({
  as,
  world,
  server,
  arrive,
  read,
  conversationsOf,
  mailedTo,
}) => {
  const squatter = await startVisitor(server, world.acme.id, {
    external_id: 'p-1',
    email: 'evil@mail.test',
    phone: '666',
    metadata: { iban: 'evil' },
  })
  const { conversation_id } = await startConversation(server, squatter, 'Send it to my new address')
  const owner = await arrive({ sub: 'p-1', email: 'paul@customer.test' })
  expect(owner.customer_id).not.toBe(squatter.customer_id)
  expect(await read(owner.customer_id)).toMatchObject({
    external_id: 'p-1',
    email: 'paul@customer.test',
    phone: null,
    metadata: {},
  })
  expect(await conversationsOf(owner.customer_id, as.holder(owner.token))).toEqual([])
  expect(await read(squatter.customer_id)).toMatchObject({ external_id: null, claimed_customer_id: owner.customer_id })
  const remaining = await conversationsOf(squatter.customer_id, as.holder(squatter.token))
  expect(remaining.map(({ id }) => id)).toEqual([conversation_id])
  expect(await mailedTo(conversation_id)).toBe('evil@mail.test')
})

test('values reported before the visitor proved their identity are marked as unproven and fill no fields', async ({
  as,
  world,
  server,
  arrive,
  prove,
  read,
  conversationsOf,
}) => {
  const owner = await arrive({ sub: 'p-2', name: 'Quinn' })
  const shared = await startVisitor(server, world.acme.id, {
    name: 'Mallory',
    email: 'evil@mail.test',
    phone: '666',
    metadata: { iban: 'evil' },
  })
  const { conversation_id } = await startConversation(server, shared, 'Before')
  await prove(shared, { sub: 'p-2' })
  expect(await read(owner.customer_id)).toMatchObject({ name: 'Quinn', email: null, phone: null, metadata: {} })
  const { data } = await as.ada(conversations.get, { params: { id: conversation_id } })
  const claims = { name: 'Mallory', email: 'evil@mail.test', phone: '666', metadata: { iban: 'evil' } }
  expect(data).toMatchObject({ customer_id: owner.customer_id, unproven: { up_to_number: 1, claims } })
  const [shown] = await conversationsOf(owner.customer_id, as.holder(owner.token))
  expect(shown?.unproven).toBe(null)

  const fresh = await startVisitor(server, world.acme.id, { name: 'Mallory', phone: '666' })
  const started = await startConversation(server, fresh, 'Before')
  const silent = (await as.holder(fresh.token)(conversations.create, { body: { conversation: {} } })).data
  await prove(fresh, { sub: 'p-3', email: 'rosa@customer.test' })
  expect(await read(fresh.customer_id)).toMatchObject({ name: null, phone: null, email: 'rosa@customer.test' })
  const second = (await as.ada(conversations.get, { params: { id: started.conversation_id } })).data
  expect(second.unproven).toEqual({ up_to_number: 1, claims: { name: 'Mallory', phone: '666' } })
  // Without earlier messages, everything that follows is proven.
  expect((await as.ada(conversations.get, { params: { id: silent.id } })).data.unproven).toBe(null)
})

test('metadata of a visitor does not affect how the team sees a message', async ({ as, world, server, openSocket }) => {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor)
  const metadata = {
    ses_html: '<h1>We</h1>',
    ses_subject: 'From your boss',
    gmail_subject: 'x',
    mentions: [{ id: 1, name: 'Ben' }],
    reply_action: 'yes',
  }
  const body = await as.holder(visitor.token)(messages.create, {
    body: { message: { conversation_id, body: 'Hi', metadata } },
  })
  const socket = openSocket({ visitor_token: visitor.token })
  const thread = await socket.join(`conversation:${conversation_id}`)
  const { id } = await thread.push('shout', { body: 'Hi', metadata })
  for (const message_id of [body.data.id, id]) {
    const { data } = await as.ada(messages.get, { params: { id: message_id } })
    expect(data).toMatchObject({ email_subject: null, email_html: null })
    expect(data.metadata).toEqual({ reply_action: 'yes' })
  }
})

test('a visitor who proves who they are neither sets nor removes an attribute that is for the team only', async ({
  as,
  arrive,
  mine,
  read,
}) => {
  const attribute_definition = { subject: 'customer' as const, key: 'score', name: 'Score', kind: 'number' as const }
  const { data } = await as.ada(attributes.create, {
    body: { attribute_definition: { ...attribute_definition, team_only: true } },
  })
  const claims = { external_id: 'scored', metadata: { score: 100 } }
  const own = { metadata: { score: 99, plan: 'gold' } }
  const visitor = await arrive(claims, own)
  expect((await read(visitor.customer_id)).metadata).not.toHaveProperty('score')
  const body = { attributes: { score: 3 } }
  await as.ben(customerProfiles.setAttributes, { params: { id: visitor.customer_id }, body })
  const again = await arrive(claims, own)
  expect(again.customer_id).toBe(visitor.customer_id)
  expect((await read(visitor.customer_id)).metadata).toEqual({ score: 3, plan: 'gold' })
  expect((await mine(again)).metadata).toEqual({ plan: 'gold' })
  await as.ada(attributes.remove, { params: { id: data.id } })
})
