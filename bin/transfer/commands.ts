import { resolve } from 'node:path'
import { features, integrations } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { encryptedColumnsOf } from '#server/feature.ts'
import { openFileStore } from '#server/file-store.ts'
import { removeInstallationFile } from '#server/installation-file.ts'
import { countUndecryptable } from '#server/platform/crypto/encrypted-columns.ts'
import { createKeyring } from '#server/platform/crypto/keyring.ts'
import type { Db } from '#server/platform/db/change.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { type Installation, openKey, withDb } from '../installation.ts'
import { exportTo } from './export.ts'
import { importFrom } from './import.ts'
import { type Progress, showProgress } from './progress.ts'
import { prepareKey } from './secret-key.ts'
import type { Removed } from './secrets.ts'

/** Exit code: done, but something that should be there is missing. */
const INCOMPLETE = 2

/** `export` and, with the secret key, `backup`. */
export async function writeFileOf(installation: Installation, name: string, isBackup: boolean): Promise<void> {
  const started = Date.now()
  const path = resolve(name)
  const { config, connection } = installation
  const files = await openFileStore(config)
  const key = isBackup ? await withDb(installation, (db) => openBackupKey(config, db)) : undefined
  const progress: Progress = { step: 'Writing', lines: 0 }
  const { lines, sha256, missing } = await shown(
    progress,
    exportTo(path, { connection, files, secret_key: key?.secretKey, progress }),
  )
  if (isBackup) await withDb(installation, recordBackup)
  console.log(`Wrote ${lines.toLocaleString('en')} lines to ${path} in ${secondsSince(started)}.`)
  console.log(`SHA-256 of the content: ${sha256}`)
  reportMissing(missing)
  if (key?.undecryptable) {
    console.warn(
      `The key in this backup does not decrypt ${key.undecryptable} values, such as second factors. If you know the key that was used before, set it as PREVIOUS_SECRET_KEY, run \`npm run parley -- reencrypt\`, and back up again.`,
    )
    process.exitCode = INCOMPLETE
  }
}

/**
 * The key that a backup contains, and how many values it does not decrypt.
 * @throws OperatorError if the previous key is still needed for some: a backup has one key, so they would be lost
 */
async function openBackupKey(config: Config, db: Db): Promise<{ secretKey: string; undecryptable: number }> {
  const { secretKey } = await openKey(config, db)
  const columns = encryptedColumnsOf([...features, ...integrations])
  const undecryptable = await countUndecryptable(db, createKeyring(secretKey), columns)
  if (undecryptable > 0 && config.previousSecretKey) {
    throw new OperatorError(
      `${undecryptable} values are still encrypted with PREVIOUS_SECRET_KEY, which a backup does not contain. Run \`npm run parley -- reencrypt\` first, then back up.`,
    )
  }
  return { secretKey, undecryptable }
}

/** `import` and, with the key of the backup, `restore`. */
export async function readFileInto(installation: Installation, name: string, isRestore: boolean): Promise<void> {
  const started = Date.now()
  const path = resolve(name)
  const { config, connection, log } = installation
  const files = await openFileStore(config)
  let isOtherKey = false
  const progress: Progress = { step: 'Reading', lines: 0 }
  const { lines, sha256, missing, removed } = await shown(
    progress,
    importFrom(path, {
      connection,
      files,
      log,
      progress,
      prepareKey(restored) {
        isOtherKey = !!config.secretKey && !!restored && restored !== config.secretKey
        return prepareKey(config, isRestore ? restored : undefined)
      },
    }),
  )
  await removeInstallationFile(config.dataDir)
  console.log(`Read ${lines.toLocaleString('en')} lines from ${path} in ${secondsSince(started)}.`)
  console.log(`SHA-256 of the content: ${sha256}`)
  if (isOtherKey) {
    console.warn('SECRET_KEY differs from the key of the backup. It is kept: all values were encrypted again with it.')
  }
  printRemoved(removed)
  reportMissing(missing)
}

async function shown<Result>(progress: Progress, work: Promise<Result>): Promise<Result> {
  const end = showProgress(progress)
  return work.finally(end)
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
  push_keys: 'keys for push notifications. New ones were made; devices subscribe again when Parley is opened on them',
  push_devices: 'devices of push notifications. These people turn them on again on each device',
  import_secrets: 'secrets of an import. Nothing more can be moved into these companies from where they came',
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

/** For monitoring that backups are made. */
async function recordBackup(db: Db): Promise<void> {
  await db.updateTable('installation').set({ backed_up_at: new Date().toISOString() }).execute()
}
