import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { customerImports } from '#contract/customers/customer-imports.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { test, vera } from '#tests/support/claims.ts'
import { expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

// The inbox has a secret, so the website could sign; unsigned data is checked nevertheless.
test.beforeAll(({ secret: _ }) => {})

test('an unsigned external id or e-mail address never finds a customer whom the team added', async ({
  world,
  server,
  addByTeam,
  startByTeam,
  identify,
  claim,
  conversationsOf,
  updateMetadata,
  read,
  mailedTo,
}) => {
  const customer = await addByTeam({ ...vera, external_id: 'guess-1' })
  const conversation_id = await startByTeam(customer.id)
  expect(await identify('guess-1')).toBe(null)
  const answer = await claim({ external_id: 'guess-1', email: 'evil@mail.test', name: 'Mallory' })
  expect(answer.id).not.toBe(customer.id)
  expect(JSON.stringify(answer)).not.toMatch(/Vera|vera@|\+49|risk/)
  const session = await startVisitor(server, world.acme.id, { external_id: 'guess-1', email: 'evil@mail.test' })
  expect(session.customer_id).not.toBe(customer.id)
  expect(await conversationsOf(customer.id)).toEqual([])
  await expect(updateMetadata(customer.id, { email: 'evil@mail.test' })).rejects.toMatchObject({ status: 404 })
  expect(await read(customer.id)).toMatchObject({ ...vera, external_id: 'guess-1' })
  expect(await mailedTo(conversation_id)).toBe('vera@customer.test')
})

test('the same applies to a customer from an import, and to one proven by a signature', async ({
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
    const [customer] = (await as.ada(customerProfiles.list, { query: { external_id } })).data
    expect((await claim({ external_id, email: 'evil@mail.test' })).id, external_id).not.toBe(customer?.id)
    expect((await read(customer!.id)).email, external_id).toMatch(/@customer\.test$/)
  }
  expect((await mine(proven)).email).toBe('pia@customer.test')
})

test('the team sees whom an unsigned visitor claims to be, and a merge joins them until it is undone', async ({
  as,
  world,
  server,
  addByTeam,
  read,
}) => {
  const customer = await addByTeam({ ...vera, external_id: 'says-1' })
  const visitor = await startVisitor(server, world.acme.id, { external_id: 'says-1', name: 'Vera?' })
  const { conversation_id } = await startConversation(server, visitor, 'It is me')
  expect(await read(visitor.customer_id)).toMatchObject({
    external_id: null,
    claimed_external_id: 'says-1',
    claimed_customer_id: customer.id,
  })
  const merged = await as.ada(customerProfiles.merge, {
    params: { id: customer.id },
    body: { customer_id: visitor.customer_id },
  })
  expect(merged.data).toMatchObject({ id: customer.id, name: 'Vera Vip', email: 'vera@customer.test' })
  const conversation = await as.ada(conversations.get, { params: { id: conversation_id } })
  expect(conversation.data.customer).toMatchObject({ id: customer.id, claimed_customer_id: null })
  await as.ada(customerProfiles.unmerge, { params: { id: customer.id } })
  expect(await read(visitor.customer_id)).toMatchObject({ id: visitor.customer_id, claimed_customer_id: customer.id })
})

test('an unsigned e-mail address of a known customer is also a claim, whichever came first', async ({
  as,
  world,
  server,
  addByTeam,
  updateMetadata,
  read,
}) => {
  const early = await startVisitor(server, world.acme.id, { email: 'Wanda@customer.test' })
  const customer = await addByTeam({ name: 'Wanda', email: 'wanda@customer.test' })
  const late = await startVisitor(server, world.acme.id)
  await updateMetadata(late.customer_id, { email: 'WANDA@customer.test' }, as.holder(late.token))
  for (const { customer_id } of [early, late]) {
    expect((await read(customer_id)).claimed_customer_id).toBe(customer.id)
  }
  await updateMetadata(late.customer_id, { email: 'somebody@customer.test' }, as.holder(late.token))
  expect((await read(late.customer_id)).claimed_customer_id).toBe(null)
})

test('a claim is not shown to the visitor who makes it', async ({ world, server, addByTeam, mine, claim }) => {
  await addByTeam({ name: 'Xaver', external_id: 'oracle-1' })
  const details = { external_id: 'oracle-1', name: 'Guest' }
  for (const external_id of ['oracle-1', 'oracle-free']) {
    const visitor = await startVisitor(server, world.acme.id, { ...details, external_id })
    expect(await mine(visitor)).toMatchObject({ external_id, name: 'Guest', claimed_customer_id: null })
    expect(await claim({ ...details, external_id })).toMatchObject({ external_id, claimed_customer_id: null })
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

test('when a customer is deleted, claims to be that customer are removed, and other claims stay', async ({
  as,
  world,
  server,
  addByTeam,
  read,
}) => {
  const [deleted, stays] = [await addByTeam({ external_id: 'gone-1' }), await addByTeam({ external_id: 'stays-1' })]
  const first = await startVisitor(server, world.acme.id, { external_id: 'gone-1' })
  const second = await startVisitor(server, world.acme.id, { external_id: 'stays-1' })
  expect((await read(first.customer_id)).claimed_customer_id).toBe(deleted.id)
  await as.ada(customerProfiles.remove, { params: { id: deleted.id } })
  expect((await read(first.customer_id)).claimed_customer_id).toBe(null)
  expect((await read(second.customer_id)).claimed_customer_id).toBe(stays.id)
})

test('when the team or an import sets an external id that a browser merely claimed, it becomes theirs', async ({
  as,
  world,
  server,
  addByTeam,
  read,
}) => {
  const squatter = await startVisitor(server, world.acme.id, { external_id: 'later-1', phone: '666' })
  const customer = await addByTeam({ name: 'Yara', external_id: 'later-1' })
  expect(customer).toMatchObject({ name: 'Yara', external_id: 'later-1', phone: null })
  expect(customer.id).not.toBe(squatter.customer_id)
  const other = await startVisitor(server, world.acme.id, { external_id: 'later-2', email: 'later@customer.test' })
  const { id } = (await as.ada(customerImports.upload, { body: { content: 'id,email\nlater-2,later@customer.test' } }))
    .data
  await as.ada(customerImports.start, { params: { id }, body: { mapping: ['external_id', 'email'] } })
  await expect.poll(async () => (await as.ada(customerImports.get, { params: { id } })).data.created_count).toBe(1)
  const [imported] = (await as.ada(customerProfiles.list, { query: { external_id: 'later-2' } })).data
  expect(await read(squatter.customer_id)).toMatchObject({ external_id: null, claimed_customer_id: customer.id })
  expect(await read(other.customer_id)).toMatchObject({ external_id: null, claimed_customer_id: imported?.id })
  // The team can also enter it in a profile.
  const third = await startVisitor(server, world.acme.id, { external_id: 'later-3' })
  await as.ada(customerProfiles.update, { params: { id: customer.id }, body: { customer: { external_id: 'later-3' } } })
  expect((await read(third.customer_id)).claimed_customer_id).toBe(customer.id)
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
  const customer = await addByTeam({ ...vera, external_id: 'moving-1' })
  const conversation_id = await startByTeam(customer.id)
  await switchTo(true)
  expect(await identify('moving-1')).toBe(customer.id)
  const answer = await claim({ external_id: 'moving-1', email: 'evil@mail.test', name: 'Mallory' })
  expect(answer.id).toBe(customer.id)
  expect(JSON.stringify(answer)).not.toMatch(/Vera|vera@|\+49|risk/)
  expect((await conversationsOf(customer.id)).map(({ id }) => id)).toEqual([conversation_id])
  expect(await read(customer.id)).toMatchObject(vera)
  expect(await mailedTo(conversation_id)).toBe('vera@customer.test')
  const first = await startVisitor(server, world.acme.id, { external_id: 'moving-1', email: 'evil@mail.test' })
  expect(await mine(first), 'the answer names whom it met').toMatchObject({ id: customer.id, name: null, metadata: {} })
  expect(await mailedTo(conversation_id)).toBe('vera@customer.test')
  const second = await startVisitor(server, world.acme.id, { external_id: 'moving-1' })
  expect((await mine(second)).id, 'what a browser has claimed is found by its token alone').not.toBe(customer.id)
  const other = await addByTeam({ name: 'Wim', external_id: 'moving-2' })
  await startByTeam(other.id)
  await switchTo(false)
  expect([await identify('moving-1'), await identify('moving-2')]).toEqual([null, null])
  expect(await conversationsOf(other.id)).toEqual([])
  expect(await conversationsOf(customer.id)).toEqual([])
  const entries = (await as.ada(audit.list, { query: { action: 'account' } })).data
  expect(JSON.stringify(entries)).toContain('trust_unsigned_ids')
})
