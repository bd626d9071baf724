import { resolve } from 'node:path'
import pino from 'pino'
import { features, integrations } from '#server/app.ts'
import { type Config, loadEnvFile, readConfig } from '#server/config.ts'
import { loadSecretKey, resolveDataFolder } from '#server/data-folder.ts'
import { messageOf } from '#server/errors.ts'
import { encryptedColumnsOf } from '#server/feature.ts'
import { recountAll } from '#server/features/reporting/counting.ts'
import { openFileStore } from '#server/file-store.ts'
import { reencrypt } from '#server/platform/crypto/encrypted-columns.ts'
import { checkSecretKey } from '#server/platform/crypto/installation-key.ts'
import { createKeyring } from '#server/platform/crypto/keyring.ts'
import type { Db } from '#server/platform/db/change.ts'
import { type ConnectionConfig, connect } from '#server/platform/db/connection.ts'
import { adviceForOperator } from '#server/platform/db/problems.ts'
import type { Log } from '#server/platform/log.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { reachDatabase } from './database.ts'
import { makeAdmin, resetPasswordOf, sendTestMail } from './people.ts'
import { exportTo } from './transfer/export.ts'
import { importFrom } from './transfer/import.ts'
import { prepareKey } from './transfer/secret-key.ts'
import type { Removed } from './transfer/secrets.ts'

interface ReachedDatabase {
  config: Config
  connection: ConnectionConfig
  log: Log
}

const USAGE = `npm run parley -- export FILE    writes all data into one compressed file; the server may keep running
npm run parley -- import FILE    reads such a file into an empty installation
npm run parley -- backup FILE    like export, with the secret key: store it where nobody else can read it
npm run parley -- restore FILE   reads a backup into an empty installation, key included
npm run parley -- reencrypt      encrypts all values again with SECRET_KEY, if they were encrypted with PREVIOUS_SECRET_KEY
npm run parley -- recount        recalculates the sums of reports; the server may keep running
npm run parley -- reset-password EMAIL   prints a link to set a new password; the server may keep running
npm run parley -- make-admin EMAIL       makes a user an admin of their account; the server may keep running
npm run parley -- test-mail EMAIL        sends a mail with SMTP_URL and prints the response of the mail server`

const WITH_FILE = ['export', 'import', 'backup', 'restore']
const WITH_ADDRESS = ['reset-password', 'make-admin', 'test-mail']
const ALONE = ['reencrypt', 'recount']

/** Exit code: done, but something that should be there is missing. */
const INCOMPLETE = 2

/** `npm run parley -- export FILE` and the other commands. */
async function main() {
  const [command = '', path = ''] = process.argv.slice(2)
  const isComplete = [...WITH_FILE, ...WITH_ADDRESS].includes(command) ? path : ALONE.includes(command)
  if (!isComplete) throw new OperatorError(USAGE)
  loadEnvFile()
  const log = pino({ level: 'warn' })
  const envConfig = readConfig(process.env)
  if (command === 'test-mail') return console.log(await sendTestMail(envConfig, log, path))
  const config = envConfig.databaseUrl ? envConfig : await resolveDataFolder(envConfig, log)
  const { connection, release } = await reachDatabase(config, log)
  releaseOnSignal(release)
  try {
    if (WITH_ADDRESS.includes(command)) {
      const act = command === 'make-admin' ? makeAdmin : resetPasswordOf
      console.log(await withDatabase(connection, log, (db) => act({ config, db }, path)))
    } else if (command === 'reencrypt') {
      console.log(`Encrypted ${await reencryptAll(config, connection, log)} values with the current key.`)
    } else if (command === 'recount') {
      const counted = await withDatabase(connection, log, recountAll)
      console.log(`Counted the messages of ${counted.toLocaleString('en')} conversations.`)
    } else if (command === 'import' || command === 'restore') {
      await read(resolve(path), command === 'restore', { config, connection, log })
    } else {
      await write(resolve(path), command === 'backup', { config, connection, log })
    }
  } finally {
    await release()
  }
}

/**
 * Stops a database that was started for the command when a signal ends it. Then the signal takes its default effect:
 * `process.exit` would wait for a file that is being opened or read, such as a pipe without a writer.
 */
function releaseOnSignal(release: () => Promise<void>) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      console.error('Stopped before it was complete.')
      void release().finally(() => process.kill(process.pid, signal))
    })
  }
}

async function write(path: string, isBackup: boolean, { config, connection, log }: ReachedDatabase) {
  const started = Date.now()
  const files = await openFileStore(config)
  const secret_key = isBackup ? await loadSecretKey(config) : undefined
  const { lines, sha256, missing } = await exportTo(path, { connection, files, secret_key })
  if (isBackup) await withDatabase(connection, log, recordBackup)
  console.log(`Wrote ${lines.toLocaleString('en')} lines to ${path} in ${secondsSince(started)}.`)
  console.log(`SHA-256 of the content: ${sha256}`)
  reportMissing(missing)
}

async function read(path: string, isRestore: boolean, { config, connection, log }: ReachedDatabase) {
  const started = Date.now()
  const files = await openFileStore(config)
  let isOtherKey = false
  const { lines, missing, removed } = await importFrom(path, {
    connection,
    files,
    log,
    prepareKey(restored) {
      isOtherKey = !!config.secretKey && !!restored && restored !== config.secretKey
      return prepareKey(config, isRestore ? restored : undefined)
    },
  })
  console.log(`Read ${lines.toLocaleString('en')} lines from ${path} in ${secondsSince(started)}.`)
  if (isOtherKey) {
    console.warn('SECRET_KEY differs from the key of the backup. It is kept: all values were encrypted again with it.')
  }
  printRemoved(removed)
  reportMissing(missing)
}

function reportMissing(missing: string[]) {
  if (missing.length === 0) return
  console.warn(`The bytes of ${missing.length} attached files are missing; everything else is there:`)
  for (const name of missing) console.warn(`  ${name}`)
  process.exitCode = INCOMPLETE
}

/** What people have to do after undecryptable values were removed. */
const AFTER_REMOVAL: Record<string, string> = {
  two_factors: 'second factors. These people sign in with their password alone until they set up a second factor again',
  identity_secrets:
    'signing secrets. Make new ones for these inboxes under Settings; until then visitors cannot prove there who they are',
}

function printRemoved(removed: Removed) {
  for (const [table, owners] of Object.entries(removed)) {
    console.warn(`No configured key decrypts these values, so they were removed: ${AFTER_REMOVAL[table] ?? table}:`)
    for (const owner of owners) console.warn(`  ${owner}`)
  }
}

function secondsSince(started: number): string {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`
}

async function withDatabase<Result>(connection: ConnectionConfig, log: Log, work: (db: Db) => Promise<Result>) {
  const { kysely, end } = connect(connection, log)
  try {
    return await work(kysely)
  } finally {
    await end()
  }
}

/** For monitoring that backups are made. */
async function recordBackup(db: Db): Promise<void> {
  await db.updateTable('installation').set({ backed_up_at: new Date().toISOString() }).execute()
}

/** @returns how many values had been encrypted with a previous key */
async function reencryptAll(config: Config, connection: ConnectionConfig, log: Log): Promise<number> {
  const keys = createKeyring(await loadSecretKey(config), config.previousSecretKey)
  return withDatabase(connection, log, async (db) => {
    await checkSecretKey(db, keys)
    return reencrypt(db, keys, encryptedColumnsOf([...features, ...integrations]))
  })
}

main().catch((error) => {
  console.error(error instanceof OperatorError ? error.message : (adviceForOperator(error) ?? messageOf(error)))
  process.exitCode = 1
})
