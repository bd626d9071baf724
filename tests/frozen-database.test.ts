import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort, ServerProcess } from './support/server-process.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'parley-frozen-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

/** Every PostgreSQL process has its cluster as working directory. */
async function postgres(): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, at) => folders[at] === join(dataDir, 'postgres')).map(Number)
}

/** Stops them all. A connection made meanwhile has a new process, so it looks again until there is none. */
async function freeze() {
  const frozen = new Set<number>()
  const findRunning = async () => (await postgres()).filter((pid) => !frozen.has(pid))
  for (let running = await findRunning(); running.length > 0; running = await findRunning()) {
    for (const pid of running) process.kill(pid, 'SIGSTOP')
    for (const pid of running) frozen.add(pid)
  }
}

async function thaw() {
  for (const pid of await postgres()) process.kill(pid, 'SIGCONT')
}

const secondsSince = (started: number) => (performance.now() - started) / 1000

test('a database that hangs makes calls fail in time, metrics say so, and the server still stops within the time of grace', async () => {
  const server = new ServerProcess(await freePort(), dataDir)
  const { url } = await server.start()
  onTestFinished(async () => {
    await thaw()
    await server.stop()
  })
  const register = () =>
    fetch(`${url}/api/registration`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        user: {
          company_name: 'Ice',
          email: 'ice@ice.test',
          password: 'frozen over',
          password_confirmation: 'frozen over',
        },
      }),
    })
  await freeze()
  const started = performance.now()
  const answers = await Promise.all([register(), register(), fetch(`${url}/ready`), fetch(`${url}/health`)])
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 200])
  expect(await answers[2].json()).toMatchObject({ ok: false, database: { ok: false } })
  expect(secondsSince(started)).toBeLessThan(30)
  // As Prometheus scrapes, which counts a server without an answer as down.
  const metrics = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) })
  const figures = await metrics.text()
  expect(figures).toContain('parley_ready{check="database"} 0')
  expect(figures).toContain('parley_backlog_counted{work="jobs"} 0')
  const startedAt = performance.now()
  await server.stop()
  expect(secondsSince(startedAt)).toBeLessThan(30)
  expect(await postgres()).toEqual([])
  // Messages acknowledged before are still there, and it starts as after any crash.
  await server.start()
  expect((await register()).status).toBe(200)
  await server.stop()
}, 120_000)
