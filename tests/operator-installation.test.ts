import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadEnvFile } from '#server/config.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { runParley, startParley, urlOf } from './support/operator.ts'
import { startTestServer } from './support/server.ts'
import { COMPILED } from './support/server-process.ts'
import { createWorld } from './support/world.ts'

let folder: string
/** The data folder of an installation that moved from its embedded database to its own PostgreSQL. */
let home: string
let database: FreshDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-installation-'))
  await chmod(folder, 0o711)
  home = join(folder, 'home')
  database = await freshDatabase()
  await startAndStop({ DATA_DIR: home })
  await startAndStop({ DATA_DIR: home, DATABASE_URL: urlOf(database), BASE_URL: 'https://chat.acme.test' })
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the server as an operator does, with these settings only, and stops it once it is ready. */
async function startAndStop(env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, PORT: '0', HOST: '127.0.0.1', ...NOTHING, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
      if (output.includes('Stop with Ctrl-C.')) child.kill('SIGTERM')
    })
  }
  const code = await new Promise((resolve) => child.once('exit', resolve))
  return { code, output }
}

const NOTHING = { DATABASE_URL: '', SECRET_KEY: '', BASE_URL: '' }

test('without the settings of the server every command says what is missing, and creates nothing', {
  timeout: 180_000,
}, async () => {
  const nowhere = join(folder, 'nowhere')
  for (const [command, argument] of [
    ...['backup', 'export', 'reset-password', 'make-admin'].map((name) => [name, join(folder, 'x.gz')] as const),
    ...['reencrypt', 'recount', 'sql'].map((name) => [name, ''] as const),
  ]) {
    const { code, output } = await runParley(command, argument, { DATA_DIR: nowhere })
    expect(output, command).toMatch(/^There is no database in .*nowhere, and DATABASE_URL is not set\. Commands need/)
    expect(code, command).toBe(1)
  }
  expect(await readdir(folder)).toEqual(['home'])
})

test('after the move to an own PostgreSQL neither a command nor a server uses the left-over database', async () => {
  const sentence = /^\s*The server of this installation uses the database \w+ at [^,]+, but DATABASE_URL is not set/
  for (const command of ['backup', 'reset-password', 'restore']) {
    const { code, output } = await runParley(command, join(folder, 'x.gz'), { DATA_DIR: home })
    expect(output, command).toMatch(sentence)
    expect(code, command).toBe(1)
  }
  const server = await startAndStop({ DATA_DIR: home })
  expect([server.code, server.output]).toEqual([1, expect.stringMatching(sentence)])
})

test('a server with DATABASE_URL says that the database in its data folder is not used', async () => {
  const { output } = await startAndStop({ DATA_DIR: home, DATABASE_URL: urlOf(database) })
  expect(output).toMatch(/home\/postgres contains a database of Parley, which is not used because DATABASE_URL is set/)
})

test('a command refuses another database than that of the server, and an empty one', async () => {
  const other = await freshDatabase()
  const server = await startTestServer({}, undefined, other)
  await server.close()
  const path = join(folder, 'other.gz')
  const refused = await runParley('backup', path, { DATA_DIR: home, DATABASE_URL: urlOf(other) })
  expect(refused.output).toMatch(/^This is another database than that of this installation, whose server uses \w+ at /)
  const empty = await freshDatabase('template0')
  const none = await runParley('backup', path, { DATA_DIR: home, DATABASE_URL: urlOf(empty) })
  expect(none.output).toMatch(/^This database contains no installation of Parley\. Is DATABASE_URL set/)
  expect([refused.code, none.code]).toEqual([1, 1])
  await other.drop()
  await empty.drop()
})

test('links of commands use the URL of the server, also where BASE_URL is not set', async () => {
  const server = await startTestServer(
    { SECRET_KEY: await readFile(join(home, 'secret.key'), 'utf8') },
    undefined,
    database,
  )
  await createWorld(server)
  await server.close()
  await startAndStop({ DATA_DIR: home, DATABASE_URL: urlOf(database), BASE_URL: 'https://chat.acme.test' })
  const { output } = await runParley('reset-password', 'ada@acme.test', {
    DATA_DIR: home,
    DATABASE_URL: urlOf(database),
  })
  expect(output).toContain('https://chat.acme.test/reset?token=')
})

test('a backup with another secret key, or without one, is refused', async () => {
  const path = join(folder, 'key.gz')
  const env = { DATA_DIR: home, DATABASE_URL: urlOf(database) }
  const wrong = await runParley('backup', path, { ...env, SECRET_KEY: 'another key than the one of the server' })
  expect(wrong.output).toMatch(/^SECRET_KEY is not the one with which this database was encrypted\./)
  const bare = join(folder, 'bare')
  const none = await runParley('backup', path, { ...env, DATA_DIR: bare })
  expect(none.output).toMatch(/^The secret key of this installation is missing: set SECRET_KEY as before/)
  expect([wrong.code, none.code]).toEqual([1, 1])
  expect((await runParley('backup', path, env)).code).toBe(0)
  expect(await readdir(folder)).not.toContain('bare')
})

test('a start that is refused for its key leaves no new secret.key behind', async () => {
  const fresh = join(folder, 'fresh')
  const { code, output } = await startAndStop({ DATA_DIR: fresh, DATABASE_URL: urlOf(database) })
  expect([code, output]).toEqual([1, expect.stringContaining('The secret key of this installation is missing')])
  expect(await readdir(fresh)).toEqual([])
})

test('a restore with DATABASE_URL creates the data folder for key and files', async () => {
  const path = join(folder, 'to-move.gz')
  const made = await runParley('backup', path, { DATA_DIR: home, DATABASE_URL: urlOf(database) })
  expect(made.output).toContain('Wrote')
  const target = await freshDatabase()
  const dataDir = join(folder, 'deep', 'target')
  const { code, output } = await runParley('restore', path, { DATA_DIR: dataDir, DATABASE_URL: urlOf(target) })
  expect(output).toContain('Read')
  expect(code).toBe(0)
  expect(await readFile(join(dataDir, 'secret.key'), 'utf8')).toBe(await readFile(join(home, 'secret.key'), 'utf8'))
  await target.drop()
})

test.for([
  ['psql', process.env.PATH ?? ''],
  ['the built-in prompt, where there is no psql,', dirname(process.execPath)],
])('sql opens %s on the embedded database', async ([, PATH = '']) => {
  const dataDir = join(folder, 'embedded')
  await startAndStop({ DATA_DIR: dataDir })
  const child = startParley('sql', '', { DATA_DIR: dataDir, PATH }, 'pipe')
  child.stdin?.end("select 'there are ' || count(*) || ' accounts' as answer from accounts;\n")
  const [output, errors, code] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    new Promise((resolve) => child.once('exit', resolve)),
  ])
  expect(output + errors).toContain('there are 0 accounts')
  expect(code).toBe(0)
})

test('check names the installation, and companies lists who uses it', async () => {
  const env = { DATA_DIR: home, DATABASE_URL: urlOf(database) }
  const checked = await runParley('check', '', env)
  expect(checked.output).toMatch(/Address: +https:\/\/chat\.acme\.test\n[\s\S]*key and file store are right\./)
  const listed = await runParley('companies', '', env)
  expect(listed.output).toMatch(/Acme[\s\S]*Other/i)
  expect([checked.code, listed.code]).toEqual([0, 0])
})

test('settings that cannot be read are named, with what to do, instead of running without them', async () => {
  const file = join(folder, '.env')
  await mkdir(file)
  expect(() => loadEnvFile(file)).toThrow(
    /^The settings in .*\.env cannot be read \(EISDIR\): use the user of the server/,
  )
})
