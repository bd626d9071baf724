import { createWriteStream } from 'node:fs'
import pg from 'pg'
import type { Keyring } from '#server/platform/crypto/keyring.ts'
import { CONNECT_MS, type ConnectionConfig } from '#server/platform/db/connection.ts'
import { preventMigrations } from '#server/platform/db/migrate.ts'
import { prepareSession } from '#server/platform/db/session.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { assertOthersEmpty, keepOperator, lockImports } from './accounts.ts'
import { convert } from './convert.ts'
import type { OnProgress } from './progress.ts'
import type { MoveOptions, Reader, Step } from './reader.ts'
import { countTargets, type TableCounts, writeSetAside } from './set-aside.ts'
import type { Source, Staged } from './source.ts'
import { stagedName } from './staging.ts'
import { writeWorkList } from './work-list.ts'

/** How soon the database notices that an import was killed, and takes everything back. */
const CHECK_CONNECTION = '5s'

/** Files that a move writes. */
export interface MovePaths {
  /** Rows that are not moved. */
  leftovers: string
  /** Bodies that were cut, to be attached whole; and files whose bytes are to be copied: work for after the move. */
  longBodies: string
  files: string
}

interface Move {
  connection: ConnectionConfig
  /** The address of this installation, for addresses of files in mails. */
  baseUrl: string
  keys: Keyring
  paths: MovePaths
  options: MoveOptions
  onProgress: OnProgress
}

export interface MoveResult {
  counts: TableCounts[]
  /** Numbers of rows, by table, whose text was no valid UTF-8. */
  repaired: Map<string, number>
  leftOut: { table: string; count: number; advice: string }[]
  account_ids: string[]
  /** Sentences for the report. */
  remarks: string[]
}

/**
 * Moves all rows of a product into an installation in one transaction: all or nothing, and as often as wanted. It sends
 * nothing, because nothing is announced. Servers may run meanwhile: their live updates wait for the end.
 * @throws OperatorError if the installation holds other accounts with customers, or another import runs
 */
export async function moveIn(reader: Reader, source: Source, move: Move): Promise<MoveResult> {
  const client = new pg.Client({
    ...move.connection,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'parley import',
  })
  try {
    await client.connect()
    await prepareSession(client, { baseUrl: move.baseUrl })
    await client.query(`set client_connection_check_interval = '${CHECK_CONNECTION}'`).catch(() => undefined)
    await client.query('begin')
    await lockImports(client)
    await preventMigrations(client)
    const moved = await moveWithin(client, reader, source, move)
    await client.query(move.options.isDryRun ? 'rollback' : 'commit')
    return moved
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await client.end()
  }
}

async function moveWithin(client: pg.Client, reader: Reader, source: Source, move: Move): Promise<MoveResult> {
  const { keys, paths, options, onProgress } = move
  const step: Step = { client, keys, options }
  const report = (fraction: number) => onProgress('reading', fraction)
  const staged = await source.stage(client, reader.tables, Object.keys(reader.leftOut), report)
  assertIsProduct(reader, staged)
  await assertWhole(client, reader, staged)
  await keepOperator(client)
  await reader.prepare?.(step)
  await assertOthersEmpty(client, reader)
  await convert(client, reader, (fraction) => onProgress('converting', fraction))
  await reader.finish?.(step)
  const counts = await countTargets(client, reader, await writeLeftovers(client, reader, paths.leftovers))
  // One after another: a cut body may have any length.
  await writeWorkList(client, reader.queries.longBodies, paths.longBodies, 1)
  await writeWorkList(client, reader.queries.files, paths.files)
  const { rows: accounts } = await client.query<{ id: string }>(
    `select id from accounts where id in (${reader.queries.accounts})`,
  )
  const { remarks } = reader.queries
  const sentences = remarks ? (await client.query<{ line: string }>(remarks)).rows : []
  return {
    counts,
    remarks: [...(staged.remarks ?? []), ...sentences.map(({ line }) => line)],
    repaired: staged.repaired,
    leftOut: Object.entries(reader.leftOut)
      .map(([table, advice]) => ({ table, count: staged.counts.get(table) ?? 0, advice }))
      .filter(({ count }) => count > 0),
    account_ids: accounts.map(({ id }) => id),
  }
}

async function writeLeftovers(client: pg.Client, reader: Reader, path: string): Promise<TableCounts[]> {
  const file = createWriteStream(path)
  return writeSetAside(client, reader, file).finally(() => new Promise((resolve) => file.end(resolve)))
}

function assertIsProduct({ name, required }: Reader, { tables }: Staged): void {
  if (required.every((table) => tables.has(table))) return
  const names = required.map((table) => `"${table}"`).join(' and ')
  throw new OperatorError(`This is no database of ${name}: it has no tables ${names}.`)
}

/** Compares what arrived with what the source has counted itself. */
async function assertWhole(client: pg.Client, { tables }: Reader, { counts }: Staged): Promise<void> {
  for (const table of Object.keys(tables)) {
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${stagedName(table)}`)
    const [sent, arrived] = [counts.get(table) ?? 0, Number(rows[0]!.count)]
    if (sent === arrived) continue
    throw new OperatorError(
      `The source has ${sent} rows in "${table}", but ${arrived} arrived. Nothing was changed. Run the import again.`,
    )
  }
}
