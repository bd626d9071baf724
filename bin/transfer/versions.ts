import type pg from 'pg'
import { countBaseline } from '#server/platform/db/baseline.ts'
import { apply, type Migration, readApplied, readMigrations } from '#server/platform/db/migrate.ts'
import { OperatorError } from '#server/platform/operator-error.ts'

/**
 * The migrations a file was written with; for one of 0.3.0 the baseline.
 * @throws OperatorError when it is of an earlier version, or when this version does not know one of them
 */
export async function stepsOf(recorded: string[]): Promise<Migration[]> {
  const ours = await readMigrations()
  const names = countBaseline(recorded)
  if (!names) {
    throw new OperatorError(
      'This file was written by a version before 0.3.0: restore it with 0.3.0, back up there, and restore that backup with this version.',
    )
  }
  const unknown = names.filter((name) => !ours.some((migration) => migration.name === name))
  if (unknown.length > 0) {
    throw new OperatorError(
      `This file was written by another version of Parley, which has ${unknown.join(', ')}: import it with that version or a later one.`,
    )
  }
  return ours.filter(({ name }) => names.includes(name))
}

/** Whether the database has exactly these migrations. */
export async function isAt(client: pg.Client, steps: Migration[]): Promise<boolean> {
  const applied = await readApplied(client)
  return applied.size === steps.length && steps.every(({ name, sha256 }) => applied.get(name) === sha256)
}

/**
 * Drops the tables of an empty installation and recreates them with these migrations.
 * @throws OperatorError when the database contains other tables
 */
export async function recreateSchema(client: pg.Client, steps: Migration[]): Promise<void> {
  const made = (await readMigrations()).flatMap(({ sql }) => [...sql.matchAll(/^create table (\w+)/gim)])
  const ours = ['migrations', ...made.map(([, name]) => name)]
  const { rows: foreign } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
     and not relname = any ($1) and ${NOT_OF_AN_EXTENSION} order by 1`,
    [ours],
  )
  if (foreign.length > 0) {
    const names = foreign.map(({ name }) => name).join(', ')
    throw new OperatorError(
      `The file is from an older version, for which all tables are created again, but the database has others as well (${names}): use a separate database.`,
    )
  }
  for (const [kind, catalogue, type] of [
    ['table', 'pg_class', 'regclass'],
    ['routine', 'pg_proc', 'regprocedure'],
  ] as const) {
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::${type}::text as name from ${catalogue} c where ${NOT_OF_AN_EXTENSION} and
       ${kind === 'table' ? `relnamespace = 'public'::regnamespace and relkind in ('r', 'p')` : `pronamespace = 'public'::regnamespace`}`,
    )
    if (rows.length > 0) await client.query(`drop ${kind} ${rows.map(({ name }) => name).join(', ')} cascade`)
  }
  await readApplied(client)
  for (const step of steps) await apply(client, step)
}

const NOT_OF_AN_EXTENSION = `not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

/** The migrations that the database still lacks. */
export async function pendingMigrations(client: pg.Client): Promise<Migration[]> {
  const applied = await readApplied(client)
  return (await readMigrations()).filter(({ name }) => !applied.has(name))
}
