import pg from 'pg'
import { loadSecretKey } from '#server/data-folder.ts'
import { checkSecretKey } from '#server/platform/crypto/installation-key.ts'
import { createKeyring } from '#server/platform/crypto/keyring.ts'
import { CONNECT_MS } from '#server/platform/db/connection.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import type { Command } from '../../command.ts'
import { type Installation, withDb, withNewInstallation } from '../../installation.ts'
import { printProgress } from './progress.ts'
import type { MoveOptions, Reader } from './reader.ts'
import { writeReport } from './report.ts'
import { runImport } from './run-import.ts'

/** `npm run parley -- import-papercups …`, and for each other product. */
export function importCommand(reader: Reader): Command {
  const own = Object.entries(reader.ownOptions ?? {})
  return {
    argument: 'URL or FILE',
    options: [
      '[--files FOLDER|S3]',
      '[--files-endpoint URL]',
      '[--account ID]',
      ...own.map(([name, value]) => `[--${name} ${value}]`),
      '[--dry-run]',
    ].join(' '),
    summary: `moves everything from a ${reader.name} database or its dump; can be repeated`,
    run: (
      address,
      { account: accounts = [], files, 'files-endpoint': filesEndpoint, 'dry-run': isDryRun = false, ...others },
    ) =>
      withNewInstallation((installation) =>
        importByCommand(installation, reader, address, {
          accounts,
          files: files ?? textOf(others.storage),
          filesEndpoint,
          isDryRun,
          own: Object.fromEntries(own.map(([name]) => [name, textOf(others[name])])),
        }),
      ),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

async function importByCommand(
  installation: Installation,
  reader: Reader,
  address: string,
  options: MoveOptions,
): Promise<void> {
  const started = Date.now()
  await prepareNew(installation)
  const { onProgress, clear } = printProgress(process.stderr)
  const { report, path } = await runImport(installation, reader, address, options, onProgress).finally(clear)
  process.stdout.write(writeReport(report))
  console.log(`This report is also in ${path}`)
  console.log(`It took ${Math.round((Date.now() - started) / 1_000)} s.`)
}

/** An installation that no server has started yet gets its tables and its secret key, as by the first start. */
async function prepareNew({ config, connection, log }: Installation): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_MS })
  await client.connect()
  const { rows } = await client
    .query<{ exists: boolean }>(`select to_regclass('public.installation') is not null as exists`)
    .finally(() => client.end())
  if (rows[0]!.exists) return
  await migrate(connection, log)
  await withDb({ config, connection, log }, async (db) =>
    checkSecretKey(db, createKeyring(await loadSecretKey(config), config.previousSecretKey)),
  )
}
