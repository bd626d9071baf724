import { customers } from '#contract/customers/customers.ts'
import { test as base, expect } from '#tests/support/fixture.ts'

const test = base.extend('env', { scope: 'file' }, { RATE_LIMITS: 'on' })

test('identifying over the limit finds nobody, and is never refused, because published widgets would show no button', async ({
  as,
  world,
}) => {
  const identify = () =>
    as.anybody(customers.identify, { query: { account_id: world.acme.id, external_id: 'known', email: 'a@b.test' } })
  await as.ada(customers.create, { body: { customer: { account_id: world.acme.id, external_id: 'known' } } })
  const answers = await Promise.all(Array.from({ length: 400 }, identify))
  expect(answers.at(-1)).toEqual({ data: { customer_id: null } })
})
