import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { features, integrations } from '#server/app.ts'
import { encryptedColumnsOf } from '#server/feature.ts'
import { codeAt } from '#server/features/accounts/auth-sessions/totp.ts'
import { reencrypt } from '#server/platform/crypto/encrypted-columns.ts'
import { createKeyring } from '#server/platform/crypto/keyring.ts'
import { freshDatabase } from './support/database.ts'
import { runParley, urlOf } from './support/operator.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { createWorld, PASSWORD } from './support/world.ts'

const OLD = 'the key that was used until yesterday'
const NEW = 'the key that has been used since today'

const step = () => Math.floor(Date.now() / 30_000)

test('a server with another SECRET_KEY than the database does not start, and says what to do', async () => {
  const database = await freshDatabase()
  const server = await startTestServer({ SECRET_KEY: OLD }, undefined, database)
  await server.close()
  await expect(startTestServer({ SECRET_KEY: NEW }, undefined, database)).rejects.toThrow(
    /SECRET_KEY is not the one .*\n.*old value/,
  )
  const again = await startTestServer({ SECRET_KEY: OLD }, undefined, database)
  await again.close()
  await database.drop()
})

test('of two servers with different keys that start at once on one database, one does not start, and says why', async () => {
  const database = await freshDatabase()
  const started = await Promise.allSettled(
    [OLD, NEW].map((SECRET_KEY) => startTestServer({ SECRET_KEY }, undefined, database)),
  )
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const refusals = started.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
  for (const server of servers) await server.close()
  await database.drop()
  expect(servers).toHaveLength(1)
  expect(refusals).toEqual([expect.stringContaining('Several servers on one database share one key.')])
})

test('a key is changed by naming the previous one and encrypting everything anew', async () => {
  const database = await freshDatabase()
  const before = await startTestServer({ SECRET_KEY: OLD }, undefined, database)
  const { ada } = await createWorld(before)
  const secret = await turnOnTwoFactor(before, ada.token)
  await before.close()

  const between = await startTestServer({ SECRET_KEY: NEW, PREVIOUS_SECRET_KEY: OLD }, undefined, database)
  expect(await signIn(between, ada.email, codeAt(secret, step() + 1))).toBe(200)
  const keys = createKeyring(NEW, OLD)
  expect(await reencrypt(between.context.db, keys, encryptedColumnsOf([...features, ...integrations]))).toBeGreaterThan(
    0,
  )
  expect(await reencrypt(between.context.db, keys, encryptedColumnsOf([...features, ...integrations]))).toBe(0)
  // Each code works once, so the next sign-in within the same half minute would need the following code.
  await between.context.db.updateTable('two_factors').set({ last_step: 0 }).where('user_id', '=', ada.id).execute()
  await between.close()

  const after = await startTestServer({ SECRET_KEY: NEW }, undefined, database)
  expect(await signIn(after, ada.email, codeAt(secret, step()))).toBe(200)
  await after.close()
  await database.drop()
})

test('a backup is refused while values need the previous key, and reports those that no key decrypts', async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-key-'))
  const database = await freshDatabase()
  onTestFinished(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  const server = await startTestServer({ SECRET_KEY: OLD }, undefined, database)
  const { ada } = await createWorld(server)
  await turnOnTwoFactor(server, ada.token)
  await server.close()
  const later = await startTestServer({ SECRET_KEY: NEW, PREVIOUS_SECRET_KEY: OLD }, undefined, database)
  await later.close()

  const file = join(folder, 'backup.gz')
  const settings = { DATABASE_URL: urlOf(database), DATA_DIR: folder, SECRET_KEY: NEW }
  const refused = await runParley('backup', file, { ...settings, PREVIOUS_SECRET_KEY: OLD })
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('npm run parley -- reencrypt') })
  expect(existsSync(file)).toBe(false)
  const forgotten = await runParley('backup', file, settings)
  expect(forgotten).toMatchObject({ code: 2, output: expect.stringContaining('does not decrypt') })
})

async function turnOnTwoFactor(server: TestServer, token: string): Promise<string> {
  const begun = await server.request('POST', '/api/two_factor', { token, body: { password: PASSWORD } })
  const { secret } = begun.body.data
  const code = codeAt(secret, step())
  const confirmed = await server.request('PUT', '/api/two_factor', { token, body: { code } })
  expect(confirmed.status).toBe(200)
  return secret
}

async function signIn(server: TestServer, email: string, code: string): Promise<number> {
  const user = { email, password: PASSWORD, code }
  return (await server.request('POST', '/api/session', { body: { user } })).status
}
