import { afterAll } from 'vitest'
import { intercom as calls } from '#contract/integrations/intercom.ts'
import { ACCESS_TOKEN, startIntercom } from '#tests/emulators/intercom.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { readPayload } from '#tests/support/payload.ts'

const intercom = await startIntercom()
const test = base.extend('env', { scope: 'file' }, intercom.settings)
afterAll(() => intercom.close())

test('Intercom’s documented responses are understood', async ({ as }) => {
  await as.ada(calls.connect, { body: { authorization: { access_token: ACCESS_TOKEN } } })
  const answers = (status: number, fixture: string) => {
    const body = JSON.parse(readPayload(`intercom/fixtures/${fixture}.json`)) as object
    intercom.fail('POST /contacts/search', { status, body })
    return as.ben(calls.contacts, { query: { name: 'Nora Beam' } })
  }
  expect((await answers(200, 'contacts')).data).toMatchObject([
    {
      id: '6762f0dd1bb69f9f2193bb83',
      email: 'nora@shop.test',
      intercom_profile_url: `${intercom.url}/a/apps/wx1yz2ab/users/6762f0dd1bb69f9f2193bb83`,
    },
  ])
  await expect(answers(429, 'rate-limit')).rejects.toMatchObject({
    reason: 'unreachable',
    message: 'Intercom limits the number of requests. Try again later.',
  })
  await expect(answers(403, 'forbidden')).rejects.toThrow('Intercom refused it: Active subscription needed.')
})
