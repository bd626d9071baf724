import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import pino from 'pino'
import { encryptedColumns } from '#server/app.ts'
import { type Config, loadEnvFile, readConfig } from '#server/config.ts'
import { keepSecretKey, settleConfig } from '#server/data-folder.ts'
import { messageOf } from '#server/errors.ts'
import { openFileStore } from '#server/file-store.ts'
import { reencrypt } from '#server/platform/crypto/encrypted-columns.ts'
import { checkSecretKey } from '#server/platform/crypto/installation-key.ts'
import { createKeyring } from '#server/platform/crypto/keyring.ts'
import { type ConnectionConfig, connect } from '#server/platform/db/connection.ts'
import type { Log } from '#server/platform/log.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { reachDatabase } from './database.ts'
import { exportTo } from './transfer/export.ts'
import { importFrom } from './transfer/import.ts'

const USAGE = `npm run parley -- export FILE    everything people keep, as one compressed file; the server may go on
npm run parley -- import FILE    reads such a file into an empty installation
npm run parley -- backup FILE    the same as export, with the secret key: keep it where nobody else reads it
npm run parley -- restore FILE   reads a backup into an empty installation, key included
npm run parley -- reencrypt      encrypts with SECRET_KEY what was encrypted with PREVIOUS_SECRET_KEY`

/** `npm run parley -- export FILE` and its sisters. */
async function main() {
  const [command = '', path = ''] = process.argv.slice(2)
  const isReading = command === 'import' || command === 'restore'
  const needsPath = ['export', 'import', 'backup', 'restore'].includes(command)
  if (needsPath ? !path : command !== 'reencrypt') throw new OperatorError(USAGE)
  loadEnvFile()
  const log = pino({ level: 'warn' })
  const given = readConfig(process.env)
  const config = given.databaseUrl ? given : await settleConfig(given, log)
  const { connection, release } = await reachDatabase(config, log)
  const files = await openFileStore(config)
  const started = Date.now()
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`
  try {
    if (command === 'reencrypt') {
      console.log(`Encrypted ${await reencryptAll(config, connection, log)} values with the current key.`)
    } else if (isReading) {
      const keepSecret = (key: string) => putSecret(config.dataDir, command === 'restore' ? key : undefined)
      const { lines } = await importFrom(resolve(path), { connection, files, log, keepSecret })
      console.log(`Read ${lines.toLocaleString('en')} lines from ${path} in ${seconds()}.`)
    } else {
      const secret_key = command === 'backup' ? await keepSecretKey(config) : undefined
      const { lines, sha256 } = await exportTo(resolve(path), { connection, files, secret_key })
      console.log(
        `Wrote ${lines.toLocaleString('en')} lines to ${path} in ${seconds()}.\nSHA-256 of the content: ${sha256}`,
      )
    }
  } finally {
    await release()
  }
}

/** @returns how many values had been encrypted with a previous key */
async function reencryptAll(config: Config, connection: ConnectionConfig, log: Log): Promise<number> {
  const { kysely, end } = connect(connection, log)
  const keys = createKeyring(await keepSecretKey(config), config.previousSecretKey)
  try {
    await checkSecretKey(kysely, keys)
    return await reencrypt(kysely, keys, encryptedColumns)
  } finally {
    await end()
  }
}

async function putSecret(dataDir: string, key: string | undefined) {
  if (key) await writeFile(resolve(dataDir, 'secret.key'), key, { mode: 0o600, flush: true })
}

main().catch((error) => {
  console.error(error instanceof OperatorError ? error.message : messageOf(error))
  process.exitCode = 1
})
