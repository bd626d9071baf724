import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import pg from 'pg'
import { messageOf } from '#server/errors.ts'
import { recountAccount } from '#server/features/conversations/reporting/counting.ts'
import { storedKey } from '#server/features/developers/api-keys/api-keys.ts'
import { openFileStore } from '#server/file-store.ts'
import type { Keyring } from '#server/platform/crypto/keyring.ts'
import { CONNECT_MS } from '#server/platform/db/connection.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { createOutbound } from '#server/platform/outbound/outbound.ts'
import { type Installation, openKey, withDb } from '../../installation.ts'
import { attachLongTexts, copyFiles } from '../moving-in/files.ts'
import { moveIn, type Product } from '../moving-in/move-in.ts'
import { printReport } from '../moving-in/report.ts'
import {
  type Columns,
  listColumns,
  openSource,
  type SourceDatabase,
  stagedName,
  stageTable,
} from '../moving-in/stage.ts'
import { CHECKS } from './checks.ts'
import { CONVERSIONS } from './convert.ts'
import { LEFT_OUT, TABLES } from './tables.ts'

export interface PapercupsOptions {
  /** Moves this account alone. */
  account?: string | undefined
  /** A folder with the objects of the old bucket. */
  files?: string | undefined
  isDryRun: boolean
}

/**
 * `npm run parley -- import-papercups postgres://…`
 * @throws OperatorError if the source is no database of Papercups, or the installation is in use
 */
export async function importPapercups(
  installation: Installation,
  address: string,
  { account, files, isDryRun }: PapercupsOptions,
): Promise<void> {
  const { config, connection } = installation
  const { keys } = await withDb(installation, (db) => openKey(config, db))
  const say = (line: string) => console.log(line)
  const folder = resolve(config.dataDir, 'imports')
  await mkdir(folder, { recursive: true })
  const name = `papercups-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`
  const leftovers = resolve(folder, `${name}.jsonl`)
  const client = new pg.Client({
    connectionString: address.replace(/^ecto:/, 'postgres:'),
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'parley import',
  })
  await client.connect().catch((error) => {
    throw new OperatorError(`The database of Papercups cannot be reached: ${messageOf(error)}`)
  })
  try {
    const source = await openSource(client)
    const columns = await listColumns(source)
    const product = papercups(source, columns, keys, account)
    const { counts, account_ids, long } = await moveIn(product, { connection, leftovers, isDryRun, say })
    const leftOut = await countLeftOut(source, columns)
    if (!isDryRun) {
      const store = await openFileStore(config)
      await withDb(installation, async (db) => {
        for (const id of account_ids) await recountAccount(db, id)
        await attachLongTexts(db, store, long)
      })
      const listed = columns.has('files') ? await listFiles(source) : []
      const outbound = createOutbound(config.reachableHosts)
      await withDb(installation, (db) => copyFiles(db, store, { folder: files, listed, outbound, say }))
      await outbound.close()
    }
    await printReport({ counts, leftOut, leftovers, report: resolve(folder, `${name}.txt`), isDryRun, say })
  } finally {
    await client.end()
  }
}

function papercups(source: SourceDatabase, columns: Columns, keys: Keyring, account: string | undefined): Product {
  return {
    name: 'Papercups',
    conversions: CONVERSIONS,
    checks: CHECKS,
    async stage(client) {
      if (!columns.has('accounts') || !columns.has('conversations')) {
        throw new OperatorError('This is no database of Papercups: it has no tables "accounts" and "conversations".')
      }
      for (const [table, wanted] of Object.entries(TABLES))
        await stageTable(source, client, table, wanted, columns.get(table))
      if (account) await keepAccount(client, account)
    },
    finish: (client) => addApiKeys(client, keys),
  }
}

/** Removes the staged rows of all other accounts. Messages belong to the account of their conversation. */
async function keepAccount(client: pg.Client, account: string): Promise<void> {
  const { rows } = await client.query(`select 1 from ${stagedName('accounts')} where id::text = $1`, [account])
  if (rows.length === 0) throw new OperatorError(`Papercups has no account ${account}.`)
  await client.query(`create temporary table other_conversations on commit drop as
    select id from ${stagedName('conversations')} where account_id::text <> ${pg.escapeLiteral(account)}`)
  await client.query(
    `delete from ${stagedName('messages')} where conversation_id in (select id from other_conversations)`,
  )
  for (const [table, columns] of Object.entries(TABLES)) {
    if (!columns.account_id || table === 'messages') continue
    await client.query(`delete from ${stagedName(table)} where account_id::text <> $1`, [account])
  }
  await client.query(`delete from ${stagedName('accounts')} where id::text <> $1`, [account])
}

/** Old keys stay valid: their holders are looked up by the whole text, as Papercups did. */
async function addApiKeys(client: pg.Client, keys: Keyring): Promise<void> {
  const { rows } = await client.query<{
    id: string
    account_id: string
    user_id: string
    label: string | null
    value: string
    created_at: string
  }>(
    `select o.id, u.account_id, u.id as user_id, o.label, o.value, (o.inserted_at at time zone 'UTC')::text as created_at
     from ${stagedName('personal_api_keys')} o join users u on u.id = o.user_id where o.value <> ''`,
  )
  for (const { id, account_id, user_id, label, value, created_at } of rows) {
    const stored = storedKey(keys, { account_id, id }, value)
    await client.query(
      `insert into personal_api_keys (account_id, id, user_id, label, value_hash, value, hint, scope, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, 'everything', $8) on conflict do nothing`,
      [account_id, id, user_id, label ?? 'Papercups', stored.value_hash, stored.value, stored.hint, created_at],
    )
  }
}

async function countLeftOut({ client }: SourceDatabase, existing: Columns) {
  const counts: { table: string; count: number; advice: string }[] = []
  for (const [table, advice] of Object.entries(LEFT_OUT)) {
    if (!existing.has(table)) continue
    const { rows } = await client.query<{ count: string }>(`select count(*) from public."${table}"`)
    if (rows[0]!.count !== '0') counts.push({ table, count: Number(rows[0]!.count), advice })
  }
  return counts
}

/** Where the bytes of each file are: a key of the old bucket, and its public address. */
async function listFiles({ client }: SourceDatabase) {
  const { rows } = await client.query<{ id: string; key: string | null; url: string }>(
    `select id, unique_filename as key, file_url as url from public.files order by inserted_at`,
  )
  return rows.map(({ id, key, url }) => ({ id, key: key ?? url.slice(url.lastIndexOf('/') + 1), url }))
}
