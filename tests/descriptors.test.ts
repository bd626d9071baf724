import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import type { HealthReport } from '#contract/operations/health.ts'
import { freshDatabase } from './support/database.ts'
import { freePort, ServerProcess } from './support/server-process.ts'

const TIMEOUT = { timeout: 60_000, interval: 500 }

/** Whether somebody who connects gets an answer. */
const isServed = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n'))
    socket.once('data', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })

test.runIf(process.platform === 'linux')(
  'a server without file descriptors continues, tells the admin, and serves new connections once it has some',
  async () => {
    const database = await freshDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-descriptors-'))
    const server = new ServerProcess(await freePort(), dataDir, { TEST_DATABASE: JSON.stringify(database.connection) })
    onTestFinished(async () => {
      await server.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    })
    const { url, pid } = await server.start()
    const agent = new Agent({ connections: 1, pipelining: 1 })
    const call = async (method: 'GET' | 'POST', path: string, token = '', body?: object) => {
      const headers = { 'content-type': 'application/json', authorization: token }
      const answer = await request(`${url}${path}`, {
        method,
        headers,
        body: body ? JSON.stringify(body) : null,
        dispatcher: agent,
      })
      return (await answer.body.json()) as ReturnType<typeof JSON.parse>
    }
    const password = 'long enough for all'
    const user = { company_name: 'Few', email: 'few@few.test', password, password_confirmation: password }
    const { token } = (await call('POST', '/api/registration', '', { user })).data
    const exhaustedAt = async () => {
      const report: HealthReport | undefined = (await call('GET', '/api/health_report', token)).data
      return report?.installation?.servers[0]?.descriptors_exhausted_at
    }
    expect(await exhaustedAt()).toBe(null)

    const limit = (max: number) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${max}:`])
    limit(readdirSync(`/proc/${pid}/fd`).length)
    await expect.poll(() => isServed(server.port), TIMEOUT).toBe(false)
    await expect.poll(exhaustedAt, TIMEOUT).toEqual(expect.any(String))
    limit(1_000)
    await expect.poll(() => isServed(server.port), TIMEOUT).toBe(true)
    await agent.close()
  },
  180_000,
)
