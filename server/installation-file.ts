import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { type Config, ENV_FILE } from './config.ts'
import type { Db } from './platform/db/change.ts'
import { findDatabaseFolder } from './platform/db/embedded/ownership.ts'
import type { Log } from './platform/log.ts'
import { OperatorError } from './platform/operator-error.ts'

const FILE = 'installation.json'

const InstallationFile = z.object({
  /** The `id` in the database's table `installation`. */
  id: z.string(),
  /** The database of DATABASE_URL, without user and password; null for the embedded one. */
  database: z.object({ host: z.string(), name: z.string() }).nullable(),
  base_url: z.string(),
})

/**
 * What the server of an installation uses. It writes this into the data folder at each start, so that a command, or a
 * server whose settings were lost, does not mistake another database for that of the installation.
 */
export type InstallationFile = z.infer<typeof InstallationFile>

/** @returns undefined if no server has written it, or it is unreadable */
export async function readInstallationFile(dataDir: string): Promise<InstallationFile | undefined> {
  const text = await readFile(resolve(dataDir, FILE), 'utf8').catch(() => '{}')
  try {
    return InstallationFile.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Writes the file. Where that fails, because the disk is full for example, the server runs all the same. */
export async function writeInstallationFile({ config, db, log }: { config: Config; db: Db; log: Log }): Promise<void> {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  const { databaseUrl, dataDir, baseUrl } = config
  const database = databaseUrl ? databaseOf(databaseUrl) : null
  const content: InstallationFile = { id, database, base_url: baseUrl }
  const file = resolve(dataDir, FILE)
  try {
    // Renamed, because servers that share the folder may write at the same time.
    await writeFile(`${file}.${process.pid}`, `${JSON.stringify(content, undefined, 2)}\n`)
    await rename(`${file}.${process.pid}`, file)
  } catch (error) {
    log.warn(
      { err: error },
      `${file}, by which commands recognize the database of this installation, cannot be written`,
    )
  }
}

/** After an import another database may be that of the installation; the next server writes the file again. */
export async function removeInstallationFile(dataDir: string): Promise<void> {
  await rm(resolve(dataDir, FILE), { force: true })
}

/**
 * Refuses to use or create the embedded database where the server uses another one.
 * @throws OperatorError that names the server's database
 */
export function assertEmbedded(dataDir: string, file: InstallationFile | undefined): void {
  if (!file?.database) return
  throw new OperatorError(
    `The server of this installation uses the database ${describe(file)}, but DATABASE_URL is not set: set it as before, in the environment or in ${ENV_FILE}. Only to use the database in ${dataDir} from now on, remove ${resolve(dataDir, FILE)}.`,
  )
}

/**
 * Checks that a command reached the database of the installation.
 * @throws OperatorError if it is another one, or no server has stored anything in it
 */
export async function assertOwnDatabase(client: pg.ClientBase, file: InstallationFile | undefined): Promise<void> {
  const { rows: tables } = await client.query<{ exist: boolean }>(
    `select to_regclass('accounts') is not null and to_regclass('installation') is not null as exist`,
  )
  // Through JSON, because a database that no server of this version has migrated lacks the column.
  const { rows } = tables[0]?.exist
    ? await client.query<{ id: string | null }>(
        `select (select to_jsonb(i) ->> 'id' from installation i) as id
         where exists (select 1 from installation) or exists (select 1 from accounts)`,
      )
    : { rows: [] }
  if (!rows[0])
    throw new OperatorError('This database contains no installation of Parley. Is DATABASE_URL set as for the server?')
  const { id } = rows[0]
  if (!file || !id || id === file.id) return
  throw new OperatorError(
    `This is another database than that of this installation, whose server uses ${describe(file)}: set DATABASE_URL as for the server. If the server is to use this one from now on, start it first.`,
  )
}

/** Says that the embedded database of the data folder is not used while DATABASE_URL is set. */
export async function warnOfUnusedDatabase({ dataDir }: Config, log: Log): Promise<void> {
  const unused = await findDatabaseFolder(dataDir).catch(() => undefined)
  if (!unused) return
  log.warn(
    `${resolve(unused, 'postgres')} contains a database of Parley, which is not used because DATABASE_URL is set. To move its contents, run backup without DATABASE_URL and restore with it; remove the folder when you no longer need it.`,
  )
}

function databaseOf(databaseUrl: string): { host: string; name: string } {
  const { host, port, database } = new pg.Client({ connectionString: databaseUrl })
  return { host: host.startsWith('/') ? host : `${host}:${port}`, name: database ?? '' }
}

function describe({ database }: InstallationFile): string {
  return database ? `${database.name} at ${database.host}` : 'in its data folder'
}
