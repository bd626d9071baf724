import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestServer } from '#tests/support/server.ts'

const HINT = 'Visitors seem to come from the address of a proxy'

/** The lines about proxies and sign-ins of a server that gets requests with these headers. */
async function linesOf(TRUST_PROXY: string, ...forwarded: string[]): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const server = await startTestServer({ TRUST_PROXY }, undefined, undefined, log)
  for (const address of forwarded) {
    const body = { user: { email: 'nobody@acme.test', password: 'guessed' } }
    await server.request('POST', '/api/session', { body, headers: { 'x-forwarded-for': address } })
  }
  await server.close()
  return lines.filter(({ msg }) => String(msg).startsWith(HINT) || msg === 'A sign-in was refused')
}

test('the log says once that all visitors share the address of a proxy that TRUST_PROXY does not count', async () => {
  const hints = async (trusted: string, ...forwarded: string[]) =>
    (await linesOf(trusted, ...forwarded)).filter(({ msg }) => String(msg).startsWith(HINT))
  expect(await hints('0', '203.0.113.5', '203.0.113.6')).toHaveLength(1)
  expect(await hints('1', '203.0.113.5', '203.0.113.6')).toEqual([])
  // The last entry was added by the proxy that is trusted, and is the address of another proxy.
  expect(await hints('1', '203.0.113.5, 10.0.0.7')).toEqual([expect.objectContaining({ address: '10.0.0.7', hops: 2 })])
})

test('a refused sign-in is in the log with the address it came from, for programs that block guessing', async () => {
  const refused = (await linesOf('1', '203.0.113.5')).filter(({ msg }) => msg === 'A sign-in was refused')
  expect(refused).toEqual([expect.objectContaining({ address: '203.0.113.5', level: 40 })])
  expect(JSON.stringify(refused)).not.toContain('nobody@acme.test')
})
