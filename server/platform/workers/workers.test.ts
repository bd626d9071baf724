import { fork } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterEach, expect, test } from 'vitest'
import type { HostileInput, work } from '#tests/support/hostile-work.ts'
import { WorkersBusy } from './fair-queue.ts'
import { WorkerKilled, WorkersStopped, WorkFailed } from './worker-errors.ts'
import { defineTask } from './worker-task.ts'
import { Workers } from './workers.ts'

const module = new URL('../../../tests/support/hostile-work.ts', import.meta.url)
const task = defineTask<typeof work>('test.patient', { module, timeoutMs: 60_000 })
const hasty = defineTask<typeof work>('test.hasty', { module, timeoutMs: 500 })

const opened: Workers[] = []
function open({ processes = 1, perAccount = 1 } = {}): Workers {
  const workers = new Workers({ processes, perAccount, priority: 5 })
  opened.push(workers)
  return workers
}
afterEach(() => {
  for (const workers of opened.splice(0)) workers.stop()
})

const run = (workers: Workers, input: HostileInput, account_id = 'acme', bytes = 100) =>
  task.run(workers, { account_id, bytes }, input)
const say = (text: string) => ({ kind: 'say', text }) as const

test('a task that takes too long is ended, the server’s own loop goes on, and the next task gets a new process', async () => {
  const workers = open()
  const pid = await run(workers, { kind: 'rest', ms: 0 })
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const spinning = hasty.run(workers, { account_id: 'acme', bytes: 1 }, { kind: 'spin' })
  await expect(spinning).rejects.toThrow(WorkerKilled)
  await expect(spinning).rejects.toThrow('It took more than 0.5 seconds')
  delay.disable()
  expect(delay.max / 1e6).toBeLessThan(2_000)
  expect(await run(workers, { kind: 'rest', ms: 0 })).not.toBe(pid)
})

test.each(['eat objects', 'eat buffers'] as const)('a task that begins to %s is ended', async (kind) => {
  const workers = open()
  await expect(run(workers, { kind })).rejects.toThrow('It took too much memory or crashed')
  expect(await run(workers, say('still here'))).toBe('still here')
})

test('a task that leaves much memory behind is not held against the next one', async () => {
  const workers = open()
  const pids = [await run(workers, { kind: 'grow' }), await run(workers, { kind: 'grow' })]
  expect(pids[0]).not.toBe(pids[1])
})

test('a task that throws fails with its reason, and its process is used again', async () => {
  const workers = open()
  const pid = await run(workers, { kind: 'rest', ms: 0 })
  const failed = run(workers, { kind: 'throw' })
  await expect(failed).rejects.toThrow(WorkFailed)
  await expect(failed).rejects.toThrow('test.patient: RangeError: Too deep.')
  expect(await run(workers, { kind: 'rest', ms: 0 })).toBe(pid)
})

test('a task whose input cannot be copied fails, and the next one runs', async () => {
  const workers = open()
  const uncopied = { kind: 'say', text: () => 'no text' } as unknown as HostileInput
  await expect(run(workers, uncopied)).rejects.toThrow(WorkFailed)
  expect(await run(workers, say('still here'))).toBe('still here')
})

test('accounts take turns: one that adds much delays another one by a task or two', async () => {
  const workers = open()
  const ended: string[] = []
  const record = (account_id: string) =>
    run(workers, { kind: 'rest', ms: 5 }, account_id).then(() => ended.push(account_id))
  const flood = Array.from({ length: 10 }, () => record('flood'))
  const more = Array.from({ length: 10 }, () => record('second flood'))
  await record('other')
  expect(ended.indexOf('other')).toBeLessThanOrEqual(3)
  await Promise.all([...flood, ...more])
})

test('one account never has all processes', async () => {
  const workers = open({ processes: 2, perAccount: 1 })
  const flood = Promise.allSettled([run(workers, { kind: 'spin' }, 'flood'), run(workers, { kind: 'spin' }, 'flood')])
  expect(await run(workers, say('other'), 'other')).toBe('other')
  workers.stop()
  for (const outcome of await flood) expect(outcome).toMatchObject({ reason: expect.any(WorkersStopped) })
})

test('a full queue refuses the account that fills it, and makes room for others', async () => {
  const workers = open()
  const first = run(workers, { kind: 'rest', ms: 100 })
  const flood = Array.from({ length: 12 }, () =>
    run(workers, say('flood'), 'flood', 10_000_000).catch((error) => error),
  )
  const other = run(workers, say('other'), 'other', 10_000_000)
  expect(await other).toBe('other')
  const outcomes = await Promise.all(flood)
  expect(outcomes.filter((outcome) => outcome === 'flood')).toHaveLength(9)
  expect(outcomes.filter((outcome) => outcome instanceof WorkersBusy)).toHaveLength(3)
  await first
})

test('stopping ends running and waiting tasks at once', async () => {
  const workers = open()
  const tasks = [run(workers, { kind: 'spin' }), run(workers, say('never'))]
  const outcomes = Promise.allSettled(tasks)
  await new Promise((resolve) => setTimeout(resolve, 200))
  workers.stop()
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: expect.any(WorkersStopped) })
  await expect(run(workers, say('late'))).rejects.toThrow(WorkersStopped)
})

test('a busy worker ends when its server is killed', async () => {
  const server = fork(new URL('../../../tests/support/busy-server.ts', import.meta.url))
  const pid = await new Promise<number>((resolve) => server.once('message', (message) => resolve(Number(message))))
  expect(isRunning(pid)).toBe(true)
  server.kill('SIGKILL')
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
