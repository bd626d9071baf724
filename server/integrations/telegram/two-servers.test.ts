import { vi } from 'vitest'
import { expect } from '#tests/support/fixture.ts'
import { startTestServer } from '#tests/support/server.ts'
import {
  connect,
  endTelegram,
  health,
  newPerson,
  TIMEOUT,
  telegram,
  test,
  waitForThread,
} from '#tests/support/telegram.ts'

test.afterEach(({ as }) => endTelegram(as))

test('one of two servers asks; when it stops the other goes on, and each message is stored once', async ({
  as,
  world,
  server,
}) => {
  const timing = { silence: 1_000, answer: 1_500, firstWait: 50, longestWait: 200 }
  const second = await startTestServer(telegram.settings, undefined, server.database, undefined, timing)
  try {
    const id = await connect(as, world)
    const person = newPerson('Zoe')
    for (const text of ['One', 'Two', 'Three']) telegram.say(person, text)
    await waitForThread(as, person, 3)
    // The lease moves, as when a server could not renew it: for a moment both ask.
    await server.context.db.deleteFrom('leases').where('name', '=', `authorization ${id}`).execute()
    await second.context.liveConnections.reconcile()
    telegram.say(person, 'Four')
    await server.context.liveConnections.reconcile()
    telegram.say(person, 'Five')
    await waitForThread(as, person, 5)
    await second.close()
    await server.context.liveConnections.reconcile()
    telegram.say(person, 'Six')
    const { thread } = await waitForThread(as, person, 6)
    expect(thread.map(({ body }) => body)).toEqual(['One', 'Two', 'Three', 'Four', 'Five', 'Six'])
    await vi.waitFor(async () => expect((await health(as)).state).toBe('connected'), TIMEOUT)
  } finally {
    await second.close()
  }
})
