import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { accounts } from '#contract/accounts.ts'
import { audit } from '#contract/audit.ts'
import { companies } from '#contract/companies.ts'
import { conversations } from '#contract/conversations.ts'
import { customerImports } from '#contract/customer-imports.ts'
import { customerProfiles } from '#contract/customer-profiles.ts'
import { customers } from '#contract/customers.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { events } from '#contract/events.ts'
import { messages } from '#contract/messages.ts'
import { signedIdentity } from '#contract/signed-identity.ts'
import { visitorConversations } from '#contract/visitor-conversations.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor, type VisitorInWorld } from '#tests/support/world.ts'
import { mailReply } from '../notifications/reply-mail.ts'

const vera = {
  name: 'Vera Vip',
  email: 'vera@customer.test',
  phone: '+49 1',
  metadata: { risk: 'high' },
}

const test = base
  .extend('secret', { scope: 'file' }, async ({ as, world }) => {
    return (await as.ada(signedIdentity.createSecret, { params: { id: world.website.id }, body: {} })).data.secret
  })
  .extend('sign', ({ secret }) => (claims: object) => {
    const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const exp = Math.floor(Date.now() / 1000) + 300
    const said = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ exp, ...claims })}`
    return `${said}.${createHmac('sha256', secret).update(said).digest('base64url')}`
  })
  .extend('tell', ({ as }) => (id: string, metadata: object, who = as.anybody) => {
    return who(customers.updateMetadata, { params: { id }, body: { metadata } })
  })
  .extend('addByTeam', ({ as }) => async (customer: BodyInput<typeof customers.create>['customer']) => {
    return (await as.ada(customers.create, { body: { customer } })).data
  })
  .extend('read', ({ as }) => async (id: string) => {
    return (await as.ada(customerProfiles.get, { params: { id } })).data
  })
  .extend('claim', ({ as, world }) => async (customer: object) => {
    return (await as.anybody(customers.create, { body: { customer: { account_id: world.acme.id, ...customer } } })).data
  })
  .extend('identify', ({ as, world }) => async (external_id: string): Promise<string | null> => {
    const query = { account_id: world.acme.id, external_id }
    return (await as.anybody(customers.identify, { query })).data.customer_id
  })
  .extend('mine', ({ as }) => async ({ token }: VisitorInWorld) => {
    return (await as.holder(token)(customers.mine)).data
  })
  .extend('conversationsOf', ({ as, world }) => async (customer_id: string, who = as.anybody) => {
    const query = { customer_id, account_id: world.acme.id }
    return (await who(conversations.ofCustomer, { query })).data
  })
  .extend('switchTo', ({ as }) => (trust_unsigned_ids: boolean) => {
    return as.ada(accounts.update, { body: { account: { settings: { trust_unsigned_ids } } } })
  })
  .extend('arrive', ({ as, world, sign }) => async (claims: object, customer: object = {}): Promise<VisitorInWorld> => {
    const visitor_session = {
      account_id: world.acme.id,
      token: randomBytes(32).toString('base64url'),
      customer_id: randomUUID(),
      identity_token: sign(claims),
      customer,
    }
    return (await as.anybody(customers.startSession, { body: { visitor_session } })).data
  })
  .extend('prove', ({ as, sign }) => (visitor: VisitorInWorld, claims: object) => {
    return as.holder(visitor.token)(customerProfiles.proveIdentity, {
      body: { visitor_session: { identity_token: sign(claims) } },
    })
  })
  /** To whom a reply in a conversation is mailed. */
  .extend('mailedTo', ({ as, world, server }) => async (conversation_id: string): Promise<string | undefined> => {
    const message = { conversation_id, body: 'We have answered.' }
    const { id } = (await as.ada(messages.create, { body: { message } })).data
    await mailReply.run(server.context, { account_id: world.acme.id, message_id: id })
    const mails = await server.context.db
      .selectFrom('mails')
      .select('recipient')
      .where('kind', '=', 'reply')
      .where(
        'headers',
        '@>',
        JSON.stringify({
          References: `<conversation-${conversation_id}@${new URL(server.context.config.baseUrl).hostname}>`,
        }),
      )
      .orderBy('created_at', 'desc')
      .execute()
    return mails[0]?.recipient
  })
  .extend('startByTeam', ({ as }) => async (customer_id: string): Promise<string> => {
    const conversation = { customer_id, message: { body: 'Your contract' } }
    return (await as.ada(conversations.create, { body: { conversation } })).data.id
  })

// The website could sign; what comes unsigned is judged all the same.
test.beforeAll(({ secret: _ }) => {})

test('an unsigned external id or e-mail address never finds a customer whom the team added', async ({
  world,
  server,
  addByTeam,
  startByTeam,
  identify,
  claim,
  conversationsOf,
  tell,
  read,
  mailedTo,
}) => {
  const known = await addByTeam({ ...vera, external_id: 'guess-1' })
  const conversation_id = await startByTeam(known.id)
  expect(await identify('guess-1')).toBe(null)
  const answer = await claim({ external_id: 'guess-1', email: 'evil@mail.test', name: 'Mallory' })
  expect(answer.id).not.toBe(known.id)
  expect(JSON.stringify(answer)).not.toMatch(/Vera|vera@|\+49|risk/)
  const session = await startVisitor(server, world.acme.id, { external_id: 'guess-1', email: 'evil@mail.test' })
  expect(session.customer_id).not.toBe(known.id)
  expect(await conversationsOf(known.id)).toEqual([])
  await expect(tell(known.id, { email: 'evil@mail.test' })).rejects.toMatchObject({ status: 404 })
  expect(await read(known.id)).toMatchObject({ ...vera, external_id: 'guess-1' })
  expect(await mailedTo(conversation_id)).toBe('vera@customer.test')
})

test('the same holds for a customer from an import, and for one whom a signature has proven', async ({
  as,
  arrive,
  identify,
  claim,
  read,
  mine,
}) => {
  const { id } = (await as.ada(customerImports.upload, { body: { content: 'id,email\nguess-2,imp@customer.test' } }))
    .data
  await as.ada(customerImports.start, { params: { id }, body: { mapping: ['external_id', 'email'] } })
  await expect.poll(async () => (await as.ada(customerImports.get, { params: { id } })).data.status).toBe('done')
  const proven = await arrive({ sub: 'guess-3', email: 'pia@customer.test' })
  for (const external_id of ['guess-2', 'guess-3']) {
    expect(await identify(external_id), external_id).toBe(null)
    const [known] = (await as.ada(customerProfiles.list, { query: { external_id } })).data
    expect((await claim({ external_id, email: 'evil@mail.test' })).id, external_id).not.toBe(known?.id)
    expect((await read(known!.id)).email, external_id).toMatch(/@customer\.test$/)
  }
  expect((await mine(proven)).email).toBe('pia@customer.test')
})

test('the team sees whom an unsigned visitor says to be, and one merge makes them one until it is taken back', async ({
  as,
  world,
  server,
  addByTeam,
  read,
}) => {
  const known = await addByTeam({ ...vera, external_id: 'says-1' })
  const visitor = await startVisitor(server, world.acme.id, { external_id: 'says-1', name: 'Vera?' })
  const { conversation_id } = await startConversation(server, visitor, 'It is me')
  expect(await read(visitor.customer_id)).toMatchObject({
    external_id: null,
    claimed_external_id: 'says-1',
    claimed_customer_id: known.id,
  })
  const merged = await as.ada(customerProfiles.merge, {
    params: { id: known.id },
    body: { customer_id: visitor.customer_id },
  })
  expect(merged.data).toMatchObject({ id: known.id, name: 'Vera Vip', email: 'vera@customer.test' })
  const conversation = await as.ada(conversations.get, { params: { id: conversation_id } })
  expect(conversation.data.customer).toMatchObject({ id: known.id, claimed_customer_id: null })
  await as.ada(customerProfiles.unmerge, { params: { id: known.id } })
  expect(await read(visitor.customer_id)).toMatchObject({ id: visitor.customer_id, claimed_customer_id: known.id })
})

test('an unsigned e-mail address of somebody whom the team knows is such a claim too, whoever of both came first', async ({
  as,
  world,
  server,
  addByTeam,
  tell,
  read,
}) => {
  const early = await startVisitor(server, world.acme.id, { email: 'Wanda@customer.test' })
  const known = await addByTeam({ name: 'Wanda', email: 'wanda@customer.test' })
  const late = await startVisitor(server, world.acme.id)
  await tell(late.customer_id, { email: 'WANDA@customer.test' }, as.holder(late.token))
  for (const { customer_id } of [early, late]) {
    expect((await read(customer_id)).claimed_customer_id).toBe(known.id)
  }
  await tell(late.customer_id, { email: 'somebody@customer.test' }, as.holder(late.token))
  expect((await read(late.customer_id)).claimed_customer_id).toBe(null)
})

test('a claim is not shown to the one who makes it', async ({ world, server, addByTeam, mine, claim }) => {
  await addByTeam({ name: 'Xaver', external_id: 'oracle-1' })
  const told = { external_id: 'oracle-1', name: 'Guest' }
  for (const external_id of ['oracle-1', 'oracle-free']) {
    const visitor = await startVisitor(server, world.acme.id, { ...told, external_id })
    expect(await mine(visitor)).toMatchObject({ external_id, name: 'Guest', claimed_customer_id: null })
    expect(await claim({ ...told, external_id })).toMatchObject({ external_id, claimed_customer_id: null })
  }
})

test('an external id that the team wrote into the profile of a browser’s customer is not found by guessing it', async ({
  as,
  claim,
  identify,
}) => {
  const old = await claim({ name: 'Zora', external_id: 'her own' })
  expect(await identify('her own')).toBe(old.id)
  await as.ada(customerProfiles.update, {
    params: { id: old.id },
    body: { customer: { external_id: 'written by the team' } },
  })
  expect(await identify('written by the team')).toBe(null)
})

test('when somebody is deleted, nobody says to be them any more, and claims to be others stay', async ({
  as,
  world,
  server,
  addByTeam,
  read,
}) => {
  const [gone, stays] = [await addByTeam({ external_id: 'gone-1' }), await addByTeam({ external_id: 'stays-1' })]
  const first = await startVisitor(server, world.acme.id, { external_id: 'gone-1' })
  const second = await startVisitor(server, world.acme.id, { external_id: 'stays-1' })
  expect((await read(first.customer_id)).claimed_customer_id).toBe(gone.id)
  await as.ada(customerProfiles.remove, { params: { id: gone.id } })
  expect((await read(first.customer_id)).claimed_customer_id).toBe(null)
  expect((await read(second.customer_id)).claimed_customer_id).toBe(stays.id)
})

test('when the team or an import knows an external id that a browser had only said, it becomes theirs', async ({
  as,
  world,
  server,
  addByTeam,
  read,
}) => {
  const squatter = await startVisitor(server, world.acme.id, { external_id: 'later-1', phone: '666' })
  const known = await addByTeam({ name: 'Yara', external_id: 'later-1' })
  expect(known).toMatchObject({ name: 'Yara', external_id: 'later-1', phone: null })
  expect(known.id).not.toBe(squatter.customer_id)
  const other = await startVisitor(server, world.acme.id, { external_id: 'later-2', email: 'later@customer.test' })
  const { id } = (await as.ada(customerImports.upload, { body: { content: 'id,email\nlater-2,later@customer.test' } }))
    .data
  await as.ada(customerImports.start, { params: { id }, body: { mapping: ['external_id', 'email'] } })
  await expect.poll(async () => (await as.ada(customerImports.get, { params: { id } })).data.created_count).toBe(1)
  const [imported] = (await as.ada(customerProfiles.list, { query: { external_id: 'later-2' } })).data
  expect(await read(squatter.customer_id)).toMatchObject({ external_id: null, claimed_customer_id: known.id })
  expect(await read(other.customer_id)).toMatchObject({ external_id: null, claimed_customer_id: imported?.id })
  // The team may also write it into somebody's profile.
  const third = await startVisitor(server, world.acme.id, { external_id: 'later-3' })
  await as.ada(customerProfiles.update, { params: { id: known.id }, body: { customer: { external_id: 'later-3' } } })
  expect((await read(third.customer_id)).claimed_customer_id).toBe(known.id)
})

test('what the team has entered is not overwritten by a browser, key by key of its metadata', async ({
  as,
  world,
  server,
  tell,
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
  const told = { name: 'Z', email: 'z@mail.test', phone: '77', metadata: { plan: 'free', city: 'Hoi An' } }
  await tell(visitor.customer_id, told, as.holder(visitor.token))
  expect(await read(visitor.customer_id)).toMatchObject({
    name: 'Zoe Zimt',
    email: 'zoe@work.test',
    phone: '77',
    metadata: { plan: 'plus', city: 'Hoi An', risk: 'low' },
  })
})

test('a visitor reads of itself what its browser told, and nothing that the team wrote down', async ({
  as,
  world,
  server,
  tell,
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
    await tell(visitor.customer_id, { browser: 'Firefox' }, asVisitor),
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

test('who knows no more than an id is told what this very call said', async ({ as, world, claim, conversationsOf }) => {
  const first = await claim({ external_id: 'old-1', name: 'Olaf', email: 'olaf@customer.test', phone: '9' })
  const guess = await claim({ external_id: 'old-1', browser: 'Firefox' })
  expect(guess).toMatchObject({ id: first.id, browser: 'Firefox', name: null, email: null, phone: null })
  await as.anybody(conversations.create, {
    body: { conversation: { account_id: world.acme.id, customer_id: first.id } },
  })
  expect(JSON.stringify(await conversationsOf(first.id))).not.toContain('olaf@')
})

test('an id that can be guessed changes no e-mail address, and one that cannot changes its own', async ({
  as,
  world,
  claim,
  tell,
  read,
  mailedTo,
}) => {
  const known = await claim({ external_id: 'old-2', email: 'otto@customer.test' })
  const conversation = { account_id: world.acme.id, customer_id: known.id }
  const started = await as.anybody(conversations.create, { body: { conversation } })
  await claim({ external_id: 'old-2', email: 'evil@mail.test' })
  await tell(known.id, { email: 'evil@mail.test' })
  expect((await read(known.id)).email).toBe('otto@customer.test')
  expect(await mailedTo(started.data.id)).toBe('otto@customer.test')
  const unknown = await claim({ email: 'first@customer.test' })
  await tell(unknown.id, { email: 'second@customer.test' })
  expect((await read(unknown.id)).email).toBe('second@customer.test')
})

test('replies go to the address that the browser of a conversation gave, also after the team has merged it', async ({
  as,
  world,
  server,
  tell,
  mailedTo,
}) => {
  const phone = await startVisitor(server, world.acme.id, { email: 'phone@customer.test' })
  const laptop = await startVisitor(server, world.acme.id)
  const fromPhone = (await startConversation(server, phone, 'From my phone')).conversation_id
  const fromLaptop = (await startConversation(server, laptop, 'From my laptop')).conversation_id
  await tell(laptop.customer_id, { email: 'laptop@customer.test' }, as.holder(laptop.token))
  await as.ada(customerProfiles.merge, { params: { id: laptop.customer_id }, body: { customer_id: phone.customer_id } })
  expect([await mailedTo(fromPhone), await mailedTo(fromLaptop)]).toEqual([
    'phone@customer.test',
    'laptop@customer.test',
  ])
  await tell(laptop.customer_id, { email: 'evil@mail.test' }, as.holder(phone.token))
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

test('a merge by the team never turns an unproven address into one that mail goes to', async ({
  as,
  world,
  server,
  addByTeam,
  startByTeam,
  mailedTo,
}) => {
  const known = await addByTeam({ name: 'Without', external_id: 'no-mail' })
  const conversation_id = await startByTeam(known.id)
  const visitor = await startVisitor(server, world.acme.id, { external_id: 'no-mail', email: 'evil@mail.test' })
  await as.ada(customerProfiles.merge, { params: { id: known.id }, body: { customer_id: visitor.customer_id } })
  expect(await mailedTo(conversation_id)).toBe(undefined)
})

test('a first proof begins with what it says; who had only said so keeps to their own conversation', async ({
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
  const kept = await conversationsOf(squatter.customer_id, as.holder(squatter.token))
  expect(kept.map(({ id }) => id)).toEqual([conversation_id])
  expect(await mailedTo(conversation_id)).toBe('evil@mail.test')
})

test('what a browser said before its visitor proved who they are is marked as unproven and fills nothing', async ({
  as,
  world,
  server,
  arrive,
  prove,
  read,
  conversationsOf,
}) => {
  const known = await arrive({ sub: 'p-2', name: 'Quinn' })
  const shared = await startVisitor(server, world.acme.id, {
    name: 'Mallory',
    email: 'evil@mail.test',
    phone: '666',
    metadata: { iban: 'evil' },
  })
  const { conversation_id } = await startConversation(server, shared, 'Before')
  await prove(shared, { sub: 'p-2' })
  expect(await read(known.customer_id)).toMatchObject({ name: 'Quinn', email: null, phone: null, metadata: {} })
  const { data } = await as.ada(conversations.get, { params: { id: conversation_id } })
  const claims = { name: 'Mallory', email: 'evil@mail.test', phone: '666', metadata: { iban: 'evil' } }
  expect(data).toMatchObject({ customer_id: known.customer_id, unproven: { up_to_number: 1, claims } })
  const [shown] = await conversationsOf(known.customer_id, as.holder(known.token))
  expect(shown?.unproven).toBe(null)

  const fresh = await startVisitor(server, world.acme.id, { name: 'Mallory', phone: '666' })
  const started = await startConversation(server, fresh, 'Before')
  const silent = (await as.holder(fresh.token)(conversations.create, { body: { conversation: {} } })).data
  await prove(fresh, { sub: 'p-3', email: 'rosa@customer.test' })
  expect(await read(fresh.customer_id)).toMatchObject({ name: null, phone: null, email: 'rosa@customer.test' })
  const second = (await as.ada(conversations.get, { params: { id: started.conversation_id } })).data
  expect(second.unproven).toEqual({ up_to_number: 1, claims: { name: 'Mallory', phone: '666' } })
  // Where nothing was said yet, all that follows is proven.
  expect((await as.ada(conversations.get, { params: { id: silent.id } })).data.unproven).toBe(null)
})

test('with the switch of the account on, unsigned ids find whom the team added, and still overwrite nothing', async ({
  as,
  world,
  server,
  addByTeam,
  startByTeam,
  switchTo,
  identify,
  claim,
  conversationsOf,
  read,
  mailedTo,
  mine,
}) => {
  const known = await addByTeam({ ...vera, external_id: 'moving-1' })
  const conversation_id = await startByTeam(known.id)
  await switchTo(true)
  expect(await identify('moving-1')).toBe(known.id)
  const answer = await claim({ external_id: 'moving-1', email: 'evil@mail.test', name: 'Mallory' })
  expect(answer.id).toBe(known.id)
  expect(JSON.stringify(answer)).not.toMatch(/Vera|vera@|\+49|risk/)
  expect((await conversationsOf(known.id)).map(({ id }) => id)).toEqual([conversation_id])
  expect(await read(known.id)).toMatchObject(vera)
  expect(await mailedTo(conversation_id)).toBe('vera@customer.test')
  const first = await startVisitor(server, world.acme.id, { external_id: 'moving-1', email: 'evil@mail.test' })
  expect(await mine(first), 'the answer names whom it met').toMatchObject({ id: known.id, name: null, metadata: {} })
  expect(await mailedTo(conversation_id)).toBe('vera@customer.test')
  const second = await startVisitor(server, world.acme.id, { external_id: 'moving-1' })
  expect((await mine(second)).id, 'what a browser has claimed is found by its token alone').not.toBe(known.id)
  const other = await addByTeam({ name: 'Wim', external_id: 'moving-2' })
  await startByTeam(other.id)
  await switchTo(false)
  expect([await identify('moving-1'), await identify('moving-2')]).toEqual([null, null])
  expect(await conversationsOf(other.id)).toEqual([])
  expect(await conversationsOf(known.id)).toEqual([])
  const entries = (await as.ada(audit.list, { query: { action: 'account' } })).data
  expect(JSON.stringify(entries)).toContain('trust_unsigned_ids')
})

test('no metadata of a visitor decides how the team sees a message', async ({ as, world, server, openSocket }) => {
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
