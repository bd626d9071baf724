import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from './support/database.ts'
import { freePort, ServerProcess } from './support/server-process.ts'

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'support/loaded-packages.ts')).href

/** The packages that a server loads until it is ready, and those of them that are listed in package.json. */
async function packagesOf(env: Record<string, string> = {}, use?: (url: string) => Promise<unknown>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-loaded-'))
  const { connection, drop } = await freshDatabase()
  const list = join(dataDir, 'loaded.json')
  const server = new ServerProcess(await freePort(), dataDir, {
    TEST_DATABASE: JSON.stringify(connection),
    NODE_OPTIONS: `--import ${PRELOAD}`,
    LOADED_PACKAGES: list,
    ...env,
  })
  onTestFinished(async () => {
    await server.stop()
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { url } = await server.start()
  await use?.(url)
  await server.stop()
  return JSON.parse(await readFile(list, 'utf8')) as string[]
}

/** The other packages of package.json are loaded when first needed. */
const AT_START = [
  '@fastify/busboy',
  '@fastify/compress',
  '@fastify/cookie',
  '@fastify/static',
  '@node-rs/argon2',
  'dataloader',
  'fastify',
  'ipaddr.js',
  'kysely',
  'otpauth',
  'pg',
  'pg-boss',
  'pino',
  'qs',
  'ws',
  'zod',
]

test('a server that nobody has used yet has loaded these packages of its own choice, and no vendor’s', async () => {
  const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'))
  const loaded = await packagesOf()
  expect(loaded.filter((name) => name in dependencies)).toEqual(AT_START)
  expect(
    loaded.filter((name) => /slack|stripe|octokit|google|twilio|aws|opentelemetry|prom-client/.test(name)),
  ).toEqual([])
})

test('the metrics library is loaded when metrics are requested', async () => {
  const loaded = await packagesOf({}, async (url) => expect((await fetch(`${url}/metrics`)).status).toBe(200))
  expect(loaded).toContain('prom-client')
})
