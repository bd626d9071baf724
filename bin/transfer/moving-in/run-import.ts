import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { recountAccount } from '#server/features/conversations/reporting/counting.ts'
import { openFileStore } from '#server/file-store.ts'
import { createOutbound } from '#server/platform/outbound/outbound.ts'
import { type Installation, openKey, withDb } from '../../installation.ts'
import { openDatabase } from './database-source.ts'
import { attachLongBodies, copyFiles } from './files.ts'
import { type Moved, type MovePaths, moveIn } from './move-in.ts'
import type { MoveOptions, Reader } from './reader.ts'
import { printReport } from './report.ts'

/**
 * `npm run parley -- import-papercups postgres://…`, and for each other product.
 * @throws OperatorError if the source is no database of the product, or the installation is in use
 */
export async function runImport(
  installation: Installation,
  reader: Reader,
  address: string,
  options: MoveOptions,
): Promise<void> {
  const { config, connection } = installation
  const { keys } = await withDb(installation, (db) => openKey(config, db))
  const say = (line: string) => console.log(line)
  const folder = resolve(config.dataDir, 'imports')
  await mkdir(folder, { recursive: true })
  const path = resolve(folder, `${reader.id}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`)
  const paths = { leftovers: `${path}.jsonl`, longBodies: `${path}.texts.part`, files: `${path}.files.part` }
  const source = await openDatabase(address, reader.name)
  try {
    const moved = await moveIn(reader, source, { connection, keys, paths, options, say })
    if (!options.isDryRun) await complete(installation, moved, paths, options, say)
    await printReport({ ...moved, leftovers: paths.leftovers, report: `${path}.txt`, isDryRun: options.isDryRun, say })
  } finally {
    await source.close()
    await Promise.all([paths.longBodies, paths.files].map((work) => rm(work, { force: true })))
  }
}

/** What follows the transaction: sums of reports, and bytes of files. */
async function complete(
  installation: Installation,
  { account_ids }: Moved,
  paths: MovePaths,
  options: MoveOptions,
  say: (line: string) => void,
): Promise<void> {
  const store = await openFileStore(installation.config)
  const outbound = createOutbound(installation.config.reachableHosts)
  await withDb(installation, async (db) => {
    for (const id of account_ids) await recountAccount(db, id)
    await attachLongBodies(db, store, paths.longBodies)
    await copyFiles(db, store, { folder: options.files, list: paths.files, outbound, say })
  }).finally(() => outbound.close())
}
