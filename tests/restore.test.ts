import { execFileSync } from 'node:child_process'
import { chmod, constants, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { codeAt } from '#server/features/accounts/auth-sessions/totp.ts'
import { readPidFile } from '#server/platform/db/embedded/leftovers.ts'
import { type FreshDatabase, freshDatabase } from './support/database.ts'
import { runParley as run, startParley, urlOf } from './support/operator.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { createWorld, PASSWORD, startConversation, type World } from './support/world.ts'

const OLD = 'the key of the installation that was backed up'
const OTHER = 'the key of the installation that is restored to'

let folder: string
let world: World
let secret: string
let source: FreshDatabase
/** A folder with the key and the files of the source. */
let home: string
let backup: string
/** As the backup printed it. */
let checksum: string
let target: FreshDatabase
let targets = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-restore-'))
  // As root, the database runs under another user.
  await chmod(folder, 0o711)
  source = await freshDatabase()
  home = join(folder, 'home')
  const server = await startTestServer({ SECRET_KEY: OLD, DATA_DIR: home }, undefined, source)
  world = await createWorld(server)
  await startConversation(server, world.carla, 'What was said before')
  await upload(server, 'kept.txt')
  secret = await turnOnTwoFactor(server)
  const { id } = world.website
  await server.request('POST', `/api/inboxes/${id}/identity_secrets`, { token: world.ada.token, body: {} })
  await server.close()
  await writeFile(join(home, 'secret.key'), OLD)
  backup = join(folder, 'backup.gz')
  const { code, output } = await run('backup', backup, { DATA_DIR: home, DATABASE_URL: urlOf(source) })
  expect(output).toContain('Wrote')
  expect(code).toBe(0)
  checksum = /SHA-256 of the content: \w{64}/.exec(output)![0]
})
afterEach(() => target?.drop())
afterAll(async () => {
  await source.drop()
  await rm(folder, { recursive: true, force: true })
})

/** An installation whose server has started once, as with the compose file. Nobody has registered. */
async function ranOnce(env: Record<string, string> = {}) {
  target = await freshDatabase()
  const dataDir = join(folder, `target ${++targets}`)
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'secret.key'), OTHER)
  const server = await startTestServer({ SECRET_KEY: OTHER }, undefined, target)
  await server.close()
  return { DATA_DIR: dataDir, DATABASE_URL: urlOf(target), ...env }
}

async function upload(server: TestServer, name: string) {
  const form = new FormData()
  form.append('file', new Blob(['some bytes'], { type: 'text/plain' }), name)
  form.append('account_id', world.acme.id)
  const headers = { authorization: world.ada.token }
  const answer = await fetch(`${server.url}/api/upload`, { method: 'POST', headers, body: form })
  expect(answer.status).toBe(201)
}

const step = () => Math.floor(Date.now() / 30_000)

async function turnOnTwoFactor(server: TestServer): Promise<string> {
  const { token } = world.ada
  const begun = await server.request('POST', '/api/two_factor', { token, body: { password: PASSWORD } })
  const code = codeAt(begun.body.data.secret, step() - 1)
  expect((await server.request('PUT', '/api/two_factor', { token, body: { code } })).status).toBe(200)
  return begun.body.data.secret
}

/** Signs Ada in, with a code or without, and returns the status. */
async function signIn(server: TestServer, code?: string): Promise<number> {
  const user = { email: world.ada.email, password: PASSWORD, ...(code && { code }) }
  return (await server.request('POST', '/api/session', { body: { user } })).status
}

async function startRestored(SECRET_KEY: string, check: (server: TestServer) => Promise<void>) {
  const server = await startTestServer({ SECRET_KEY }, undefined, target)
  await check(server).finally(() => server.close())
}

/** Writes a file with changed lines of the backup. */
async function changed(change: (lines: string[]) => string[]): Promise<string> {
  const lines = gunzipSync(await readFile(backup))
    .toString()
    .trimEnd()
    .split('\n')
  const path = join(folder, 'changed.gz')
  await writeFile(path, gzipSync(`${change(lines).join('\n')}\n`))
  return path
}

const keyIn = ({ DATA_DIR }: { DATA_DIR: string }) => readFile(join(DATA_DIR, 'secret.key'), 'utf8')

test('a backup can be restored where a server has run before, and the next start uses the backup’s key', async () => {
  const env = await ranOnce()
  const { code, output } = await run('restore', backup, env)
  expect(output).toMatch(/Read \d+ lines/)
  expect(output).toContain(checksum)
  expect(code).toBe(0)
  expect(await keyIn(env)).toBe(OLD)
  expect((await readdir(env.DATA_DIR)).sort()).toEqual(['files', 'secret.key'])
  await startRestored(OLD, async (server) => {
    expect(await signIn(server)).toBe(401)
    expect(await signIn(server, codeAt(secret, step()))).toBe(200)
    const { body } = await server.request('GET', '/api/conversations', { token: world.ada.token })
    expect(JSON.stringify(body)).toContain('What was said before')
  })
})

test('if SECRET_KEY is set it stays the key, and the backup’s encrypted values are encrypted with it', async () => {
  const env = await ranOnce({ SECRET_KEY: OTHER })
  const { code, output } = await run('restore', backup, env)
  expect(output).toContain('SECRET_KEY differs from the key of the backup.')
  expect(code).toBe(0)
  await startRestored(OTHER, async (server) => {
    expect(await signIn(server, codeAt(secret, step()))).toBe(200)
  })
})

test('values that cannot be decrypted are removed and reported, and lock nobody out', async () => {
  const env = await ranOnce()
  const withoutKey = await changed(([first = '', ...rest]) => {
    const { secret_key: _, ...opening } = JSON.parse(first)
    return [JSON.stringify(opening), ...rest]
  })
  const done = await run('import', withoutKey, env)
  expect(done.output).toMatch(/second factors\. These people .*:\n {2}ada@acme\.test/)
  expect(done.output).toMatch(/signing secrets\. Make new ones .*:\n {2}Primary Inbox/)
  expect(done.code).toBe(0)
  expect(await keyIn(env)).toBe(OTHER)
  await startRestored(OTHER, async (server) => {
    expect(await signIn(server)).toBe(200)
    const { id } = world.website
    const { body } = await server.request('GET', `/api/inboxes/${id}/signed_identity`, { token: world.ada.token })
    expect(body.data.secrets).toEqual([])
  })
})

test('a restore that fails leaves the installation with its own key', async () => {
  const env = await ranOnce()
  const cut = join(folder, 'cut.gz')
  await writeFile(cut, (await readFile(backup)).subarray(0, -100))
  const { code, output } = await run('restore', cut, env)
  expect(output).toMatch(/^Nothing was imported: .*cut\.gz cannot be read after line \d+ /)
  expect(code).toBe(1)
  expect(await keyIn(env)).toBe(OTHER)
  expect(await readdir(env.DATA_DIR)).not.toContain('secret.key.restored')
  await startRestored(OTHER, async () => undefined)
})

test('a running server, which would continue with its own key, must be stopped first', async () => {
  const env = await ranOnce()
  await startRestored(OTHER, async () => {
    const { code, output } = await run('restore', backup, env)
    expect(output).toContain('Stop every server and try again.')
    expect(code).toBe(1)
  })
})

test('restoring an older backup keeps tables that are not ours', async () => {
  const env = await ranOnce()
  const client = new pg.Client(target.connection)
  await client.connect()
  await client.query('create table recipes (name text)')
  const older = await changed(([first = '', ...rest]) => {
    const opening = JSON.parse(first)
    return [JSON.stringify({ ...opening, migrations: opening.migrations.slice(0, -1) }), ...rest]
  })
  const { output } = await run('restore', older, env)
  expect(output).toContain('the database has others as well (recipes)')
  expect((await client.query('select * from recipes')).rows).toEqual([])
  await client.end()
})

test.each([
  ['a byte that makes a value wrong', (line: string) => line.replace(/"id":"........-/, '"id":"zzzzzzzz-'), /uuid/],
  ['a line that is cut', (line: string) => line.slice(0, -20), /json/],
])('%s is refused with the file and its line', async (_, damage, reason) => {
  const env = await ranOnce()
  let number = 0
  const path = await changed((lines) => {
    number = lines.findIndex((line) => line.startsWith('["messages"'))
    return lines.with(number, damage(lines[number]!))
  })
  const { code, output } = await run('restore', path, env)
  expect(output).toContain(`Nothing was imported: line ${number + 1} of ${path} is damaged (`)
  expect(output).toMatch(reason)
  expect(code).toBe(1)
})

test('a file key that leaves the store is refused with the file and its line', async () => {
  const env = await ranOnce()
  const path = await changed((lines) => lines.map((line) => line.replace(/^\[\{"file":"[^"]+"/, '[{"file":"../../x"')))
  const { output } = await run('restore', path, env)
  expect(output).toMatch(/line \d+ of .*changed\.gz is damaged \("\.\.\/\.\.\/x" is not the key of a file\.\)/)
})

test('a flipped byte is refused with the file and how far it could be read', async () => {
  const env = await ranOnce()
  const bytes = await readFile(backup)
  bytes[Math.floor(bytes.length / 2)]! ^= 0x10
  const path = join(folder, 'flipped.gz')
  await writeFile(path, bytes)
  const { code, output } = await run('restore', path, env)
  // Decompression yields whole blocks: a small file may be cut off before its first line is complete.
  expect(output).toMatch(
    /^Nothing was imported: (line \d+ of .*flipped\.gz is damaged|.*flipped\.gz cannot be read( after line \d+)? \()/,
  )
  expect(code).toBe(1)
})

test.each([
  ['whose end is missing', (lines: string[]) => lines.slice(0, -1), 'the end of'],
  [
    'with another word',
    (lines: string[]) => lines.map((line) => line.replace('What was said', 'What was sold')),
    'checksum',
  ],
  [
    'of an earlier version that lost a record',
    (lines: string[]) =>
      lines
        .filter((line) => !line.includes('What was said'))
        .map((line) => (line.startsWith('{"end"') ? line.replace(/,"sha256":"\w+"/, '') : line)),
    'should hold',
  ],
  ['that goes on after its end', (lines: string[]) => [...lines, lines.at(-2)!], 'there is data after its end'],
])('a file %s is refused', async (_, change, sentence) => {
  const env = await ranOnce()
  const { code, output } = await run('restore', await changed(change), env)
  expect(output).toContain(sentence)
  expect(code).toBe(1)
})

test('missing attached files are listed and set the exit code, of a backup and of its restore', async () => {
  const bare = join(folder, 'bare')
  await mkdir(bare)
  const path = join(folder, 'without files.gz')
  const made = await run('backup', path, { DATA_DIR: bare, DATABASE_URL: urlOf(source), SECRET_KEY: OLD })
  expect(made.output).toMatch(/The bytes of 1 attached files are missing; everything else is there:\n {2}kept\.txt \(/)
  expect(made.code).toBe(2)
  const restored = await run('restore', path, await ranOnce())
  expect(restored.output).toMatch(/\n {2}kept\.txt \(/)
  expect(restored.code).toBe(2)
})

test('the rest of an interrupted backup does not make the next one readable to others', async () => {
  const path = join(folder, 'private.gz')
  await writeFile(`${path}.part`, 'left over', { mode: 0o644 })
  await chmod(`${path}.part`, 0o644)
  await run('backup', path, { DATA_DIR: home, DATABASE_URL: urlOf(source), SECRET_KEY: OLD })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a restore that is ended by %s leaves no PostgreSQL behind',
  async (signal) => {
    const dataDir = join(folder, signal)
    // A named pipe without data keeps the restore busy until it is killed.
    const endless = join(folder, `${signal}.gz`)
    execFileSync('mkfifo', [endless])
    const child = startParley('restore', endless, { DATA_DIR: dataDir })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    // It stays empty, but opening it for writing succeeds once the restore reads it.
    const writer = await vi.waitFor(() => open(endless, constants.O_WRONLY | constants.O_NONBLOCK), { timeout: 50_000 })
    const { pid } = (await readPidFile(join(dataDir, 'postgres')))!
    child.kill(signal)
    await exited
    await writer.close()
    await expect.poll(() => readdir(`/proc/${pid}`).catch(() => 'gone')).toBe('gone')
  },
)
