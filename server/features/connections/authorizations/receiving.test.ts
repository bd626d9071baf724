import { vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { health } from '#contract/operations/health.ts'
import { connectWebsite } from '#tests/support/connect.ts'
import { fakeIntegration } from '#tests/support/fake-integration.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { ConnectionRevoked, RetryLater } from '../../../integration.ts'
import { pollAll } from './polling.ts'

const fake = fakeIntegration()
let polls = 0
let failure: Error | undefined
fake.integration.poll = async () => {
  polls++
  if (failure) throw failure
}
const test = base.extend(
  'extra',
  { scope: 'file' },
  { feature: fake.feature, timing: { holds: 4_000, unreliable: 300_000 } },
)
const TIMEOUT = { timeout: 30_000, interval: 100 }

test('polls that fail again and again are shown with their reason until they succeed for some time', async ({
  as,
  server,
  world,
}) => {
  const { id } = await connectWebsite(server, world, { way_in: 'polled' })
  const shown = async () => (await as.ada(integrations.list)).data.find((authorization) => authorization.id === id)!
  async function poll(error: Error | undefined) {
    failure = error
    const before = polls
    // The previous poll may still be ending.
    await vi.waitFor(async () => {
      await pollAll(server.context)
      await vi.waitFor(() => expect(polls).toBeGreaterThan(before), { timeout: 1_000 })
    }, TIMEOUT)
  }
  const shows = (problem: unknown) =>
    vi.waitFor(async () => expect(await shown()).toMatchObject({ state: 'failing', problem }), TIMEOUT)
  const unreliable = expect.stringMatching(
    /^It was interrupted \d+ times within ten minutes. The last reason: They are down.$/,
  )
  for (const problem of ['They are down.', 'They are down.', unreliable]) {
    await poll(new RetryLater('They are down.'))
    await shows(problem)
    await poll(undefined)
    if (problem !== unreliable) await vi.waitFor(async () => expect((await shown()).problem).toBeNull(), TIMEOUT)
  }
  // One that succeeds does not make it reliable again.
  expect(await shown()).toMatchObject({ state: 'failing', problem: unreliable })
  expect((await as.ada(health.report)).data).toMatchObject({
    broken_connections: 0,
    connections: [{ id, label: '#support', state: 'failing', problem: unreliable }],
  })
  await vi.waitFor(async () => {
    await pollAll(server.context)
    expect(await shown()).toMatchObject({ state: 'waiting', problem: null })
  }, TIMEOUT)
  await poll(new ConnectionRevoked('They revoked it.'))
  await vi.waitFor(
    async () => expect(await shown()).toMatchObject({ state: 'broken', problem: 'They revoked it.' }),
    TIMEOUT,
  )
  expect((await as.ada(health.report)).data).toMatchObject({ broken_connections: 1, connections: [{ id }] })
})
