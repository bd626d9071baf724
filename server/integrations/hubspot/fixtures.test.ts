import { afterAll } from 'vitest'
import { hubspot as calls } from '#contract/integrations/hubspot.ts'
import { SERVICE_KEY, startHubspot } from '#tests/emulators/hubspot.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { readPayload } from '#tests/support/payload.ts'

const hubspot = await startHubspot()
const test = base.extend('env', { scope: 'file' }, hubspot.settings)
afterAll(() => hubspot.close())

test('HubSpot’s documented responses are understood', async ({ as }) => {
  await as.ada(calls.connect, { body: { authorization: { access_token: SERVICE_KEY } } })
  const answers = (status: number, fixture: string) => {
    const body = JSON.parse(readPayload(`hubspot/fixtures/${fixture}.json`)) as object
    hubspot.fail('POST /crm/v3/objects/contacts/search', { status, body })
    return as.ben(calls.contacts, { query: { first_name: 'Nora' } })
  }
  expect((await answers(200, 'search')).data).toMatchObject([
    {
      id: '512',
      properties: { email: 'nora@shop.test', phone: null },
      hubspot_profile_url: 'https://app.hubspot.com/contacts/62515/contact/512',
    },
  ])
  await expect(answers(429, 'rate-limit')).rejects.toMatchObject({
    reason: 'unreachable',
    message: 'HubSpot limits the number of requests. Try again later.',
  })
  await expect(answers(403, 'missing-scopes')).rejects.toThrow('been granted all required scopes')
})
