import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDatabase } from '#server/platform/db/check-database.ts'
import { adviceForOperator } from '#server/platform/db/problems.ts'
import { makeCertificate } from './support/certificate.ts'
import { type Postgres, startPostgres } from './support/postgres.ts'

const log = pino({ level: 'silent' })
/** Where the certificates are that the client trusts. */
const folder = mkdtempSync(join(tmpdir(), 'parley-tls-'))
let postgres: Postgres
let client: pg.Client
let dataDir: string

beforeAll(async () => {
  postgres = await startPostgres('loopback')
  client = new pg.Client(postgres.address)
  await client.connect()
  ;({ data_directory: dataDir } = (await client.query('show data_directory')).rows[0])
})
afterAll(async () => {
  await client.end()
  await postgres.stop()
  rmSync(folder, { recursive: true })
})

/** Lets the database use a certificate. Returns the path of a file that a client may trust. */
async function installCertificate({ key, cert }: { key: string; cert: string }): Promise<string> {
  const { uid, gid } = statSync(dataDir)
  for (const [name, content] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
    const path = join(dataDir, name)
    rmSync(path, { force: true })
    writeFileSync(path, content, { mode: 0o600 })
    if (process.getuid?.() === 0) chownSync(path, uid, gid)
  }
  await client.query('alter system set ssl = on')
  await client.query('select pg_reload_conf()')
  return trust(cert)
}

function trust(cert: string): string {
  const path = join(folder, `${Math.random()}.pem`)
  writeFileSync(path, cert)
  return path
}

/** What the operator reads at the start with these parameters in DATABASE_URL. */
async function said(query: string, host = 'localhost'): Promise<string> {
  const { port, user, password = '', database } = postgres.address
  const connectionString = `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}?${query}`
  return checkDatabase({ connectionString }, log, 1).then(
    () => 'works',
    (error) => error.message,
  )
}

/** The server reads its new certificate some moments after it was told to. */
const TIMEOUT = { timeout: 20_000, interval: 100 }

test('a database without TLS is named as such', async () => {
  expect(await said('sslmode=verify-full')).toMatch(/^The database offers no TLS/)
  expect(await said('')).toBe('works')
})

test('a certificate is verified with its authority, and what is wrong with it is said', async () => {
  const certificate = makeCertificate('localhost')
  const ca = await installCertificate(certificate)
  await expect.poll(() => said(`sslmode=verify-full&sslrootcert=${ca}`), TIMEOUT).toBe('works')
  expect(await said('sslmode=verify-full')).toMatch(
    /^The certificate of the database is not trusted \(self-signed certificate.*\): add sslrootcert=/,
  )
  const another = trust(makeCertificate('localhost').cert)
  expect(await said(`sslmode=verify-full&sslrootcert=${another}`)).toMatch(
    /^The certificate of the database is not trusted \(.+\): add sslrootcert=.* names another authority/,
  )
  expect(await said(`sslmode=verify-full&sslrootcert=${folder}/none.pem`)).toMatch(/none\.pem cannot be used/)
  expect(await said('sslmode=no-verify')).toBe('works')
})

test('a certificate for another name, and one that has expired, are told apart', async () => {
  const ca = await installCertificate(makeCertificate('db.example'))
  await expect
    .poll(() => said(`sslmode=verify-full&sslrootcert=${ca}`), TIMEOUT)
    .toMatch(/^The certificate of the database is for another name \(.*db\.example.*\): use that name in DATABASE_URL/)
  expect(adviceForOperator(new Error('certificate has expired'))).toMatch(
    /^The certificate of the database is not valid at present \(certificate has expired\): renew it/,
  )
})
