import { expect, test } from '#tests/support/fixture.ts'
import type { work } from '#tests/support/hostile-work.ts'
import { startTestServer } from '#tests/support/server.ts'
import { WorkersStopped } from './worker-errors.ts'
import { defineTask } from './worker-task.ts'

const task = defineTask<typeof work>('test.spin', {
  module: new URL('../../../tests/support/hostile-work.ts', import.meta.url),
  timeoutMs: 600_000,
})

test('a server stops within ten seconds, whatever its workers are doing', { timeout: 60_000 }, async ({ server }) => {
  const other = await startTestServer({}, undefined, server.database)
  const turn = { account_id: 'acme', bytes: 1 }
  const { workers, pictures } = other.context
  await Promise.all([
    task.run(workers, turn, { kind: 'say', text: 'ready' }),
    task.run(pictures, turn, { kind: 'throw' }).catch(() => undefined),
  ])
  const tasks = Promise.allSettled([
    task.run(workers, turn, { kind: 'spin' }),
    task.run(pictures, turn, { kind: 'spin' }),
  ])
  const begun = performance.now()
  await other.close()
  expect(performance.now() - begun).toBeLessThan(10_000)
  for (const outcome of await tasks) expect(outcome).toMatchObject({ reason: expect.any(WorkersStopped) })
})
