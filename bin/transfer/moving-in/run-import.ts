import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { recountAccount } from '#server/features/conversations/reporting/counting.ts'
import { readingFolder } from '#server/features/operations/moving-in/stored-state.ts'
import { openFileStore } from '#server/file-store.ts'
import { createOutbound } from '#server/platform/outbound/outbound.ts'
import { type Installation, openKey, withDb } from '../../installation.ts'
import { attachLongBodies, copyFiles, type FilesCopied } from './files.ts'
import { type MovePaths, type MoveResult, moveIn } from './move-in.ts'
import { openObjects } from './objects.ts'
import { openSource } from './open-source.ts'
import type { OnProgress } from './progress.ts'
import type { MoveOptions, Reader } from './reader.ts'
import { type Report, saveReport } from './report.ts'

interface Finished {
  report: Report
  /** The same as a text file. */
  path: string
}

/**
 * Moves people from a product: first everything in the database, then what can be repeated, which is sums of reports and
 * bytes of files. A run that is stopped has changed nothing, or is completed by the next one.
 * @param address of the product's database or API, or the path of a dump of it
 * @throws OperatorError if the source is no database of the product, or the installation is in use
 */
export async function runImport(
  installation: Installation,
  reader: Reader,
  address: string,
  options: MoveOptions,
  onProgress: OnProgress,
): Promise<Finished> {
  const { config, connection } = installation
  const { keys } = await withDb(installation, (db) => openKey(config, db))
  const folder = resolve(config.dataDir, 'imports')
  await mkdir(folder, { recursive: true })
  const path = resolve(folder, `${reader.id}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`)
  const paths = { leftovers: `${path}.jsonl`, longBodies: `${path}.texts.part`, files: `${path}.files.part` }
  const source = await openSource(address, reader, {
    accounts: options.accounts,
    token: options.token,
    reachableHosts: config.reachableHosts,
    folder: readingFolder(config),
    onProgress: (fraction) => onProgress('fetching', fraction),
  })
  let isMoved = false
  try {
    const moved = await moveIn(reader, source, {
      connection,
      baseUrl: config.baseUrl,
      keys,
      paths,
      options,
      onProgress,
    })
    const files = options.isDryRun ? null : await complete(installation, moved, paths, options, onProgress)
    const report = { ...moved, files, leftovers: paths.leftovers, isDryRun: options.isDryRun }
    await saveReport(`${path}.txt`, report)
    isMoved = !options.isDryRun
    return { report, path: `${path}.txt` }
  } finally {
    await source.close(isMoved)
    await Promise.all([paths.longBodies, paths.files].map((work) => rm(work, { force: true })))
  }
}

/** What follows the transaction. */
async function complete(
  installation: Installation,
  { account_ids, counts }: MoveResult,
  paths: MovePaths,
  { files, filesEndpoint }: MoveOptions,
  onProgress: OnProgress,
): Promise<FilesCopied> {
  const store = await openFileStore(installation.config)
  const outbound = createOutbound(installation.config.reachableHosts)
  const total = counts.find(({ table }) => table === 'conversations')?.source ?? 0
  let counted = 0
  try {
    const read = await openObjects(files, filesEndpoint, outbound)
    return await withDb(installation, async (db) => {
      for (const id of account_ids) {
        await recountAccount(db, id, (conversations) => {
          counted += conversations
          onProgress('counting', counted / Math.max(total, counted, 1))
        })
      }
      await attachLongBodies(db, store, paths.longBodies)
      const onFiles = (fraction: number) => onProgress('files', fraction)
      return copyFiles(db, store, { list: paths.files, read, onProgress: onFiles })
    })
  } finally {
    await outbound.close()
  }
}
