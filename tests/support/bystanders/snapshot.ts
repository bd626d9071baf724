import type pg from 'pg'
import { COUNTED_LATER } from '../counted-later.ts'

interface Table {
  name: string
  /** Columns of the primary key. */
  key: string[]
  ids: string[]
  /** Columns that may contain ids anywhere. */
  documents: string[]
  users: string[]
  account: string
}

/** Tables derived from conversations and messages, which are compared themselves. */
const DERIVED = ['unread_counters', ...COUNTED_LATER]

/** Stores which rows exist before the bystanders are created. */
export async function rememberNamed(client: pg.Client): Promise<void> {
  await client.query('CREATE SCHEMA named')
  for (const { name } of await tables(client)) await client.query(`CREATE TABLE named.${name} AS TABLE public.${name}`)
}

/**
 * Copies the rows added since into the schema `bystanders`, and prepares the queries that compare them with later
 * states. The tables are read from the catalogue, so that a new table is included by itself.
 */
export async function rememberBystanders(client: pg.Client): Promise<void> {
  const all = await tables(client)
  await client.query('CREATE SCHEMA bystanders')
  for (const table of all) {
    await client.query(
      `CREATE TABLE bystanders.${table.name} AS SELECT t.* FROM public.${table.name} t
       WHERE NOT EXISTS (SELECT FROM named.${table.name} b WHERE ${sameKey(table)})`,
    )
  }
  await client.query('DROP SCHEMA named CASCADE')
  const ids = all.filter(({ ids }) => ids.includes('id')).map(({ name }) => `SELECT id FROM bystanders.${name}`)
  await client.query(`CREATE TABLE bystanders.ids AS ${ids.join(' UNION ')}`)
  await client.query('CREATE TABLE bystanders.remembered AS SELECT pg_current_xact_id() AS in_transaction')
  await client.query(`CREATE VIEW bystanders.differences AS ${all.map(differences).join(' UNION ALL ')}`)
  await client.query(
    `CREATE FUNCTION bystanders.accept() RETURNS void LANGUAGE sql AS $$ ${all.map(accept).join('\n')} $$`,
  )
}

/** Our tables with what is needed to compare them. */
async function tables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name,
       CASE c.relname WHEN 'accounts' THEN 'id' ELSE 'account_id' END AS account,
       coalesce((SELECT array_agg(a.attname::text) FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid
         AND a.attnum = ANY (i.indkey) WHERE i.indrelid = c.oid AND i.indisprimary), '{}') AS key,
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
         AND a.atttypid = 'uuid'::regtype) AS ids,
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
         AND a.atttypid = 'jsonb'::regtype) AS documents,
       ARRAY(SELECT a.attname::text FROM pg_constraint f JOIN pg_attribute a ON a.attrelid = c.oid
         AND a.attnum = ANY (f.conkey) AND a.atttypid <> 'uuid'::regtype
         WHERE f.conrelid = c.oid AND f.confrelid = 'public.users'::regclass) AS users
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
       AND (c.relname = 'accounts' OR EXISTS (SELECT FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attname = 'account_id'))
     ORDER BY c.relname`,
    [DERIVED],
  )
  const keyless = rows.filter(({ key }) => key.length === 0).map(({ name }) => name)
  if (keyless.length > 0) throw new Error(`No primary key to compare bystanders by: ${keyless.join(', ')}`)
  return rows
}

const sameKey = ({ key }: Table) => key.map((column) => `t.${column} = b.${column}`).join(' AND ')

/** Whether a row is about a bystander: by one of the ids or users, or by the name they all have. */
function isAboutBystander({ ids, users, documents }: Table): string {
  const byId = ids.map((column) => `t.${column} IN (SELECT id FROM bystanders.ids)`)
  const written = users.map((column) => `t.${column} IN (SELECT id FROM bystanders.users)`)
  const mentioned = documents.map(
    (column) => `EXISTS (SELECT FROM regexp_matches(t.${column}::text, '[0-9a-f]{8}-[0-9a-f-]{27}', 'g') found
      WHERE found[1] IN (SELECT id::text FROM bystanders.ids))`,
  )
  return [...byId, ...written, ...mentioned, "t::text LIKE '%ystander%'"].join(' OR ')
}

/**
 * Whether a row was written since the last comparison without differences: comparing everything after each of a
 * thousand tests took most of their time. Transaction ids do not wrap around within a run.
 */
const isNew = "t.xmin::text::bigint >= (SELECT current_setting('bystanders.compared_until')::bigint)"

function differences(table: Table): string {
  const { name, account } = table
  return `
    SELECT b.${account} AS account_id, '${name}' AS table_name, b::text AS before, t::text AS after
      FROM bystanders.${name} b LEFT JOIN public.${name} t ON ${sameKey(table)}
      WHERE (t.xmin IS NULL OR ${isNew}) AND t::text IS DISTINCT FROM b::text
    UNION ALL
    SELECT t.${account}, '${name}', NULL, t::text FROM public.${name} t
      WHERE ${isNew} AND (${isAboutBystander(table)})
        AND NOT EXISTS (SELECT FROM bystanders.${name} b WHERE ${sameKey(table)})`
}

function accept(table: Table): string {
  const { name, key } = table
  return `
    WITH gone AS (
      DELETE FROM bystanders.${name} b
      WHERE NOT EXISTS (SELECT FROM public.${name} t WHERE ${sameKey(table)} AND t::text = b::text)
      RETURNING ${key.map((column) => `b.${column}`).join(', ')}
    )
    INSERT INTO bystanders.${name} SELECT t.* FROM public.${name} t JOIN gone b ON ${sameKey(table)};
    INSERT INTO bystanders.${name} SELECT t.* FROM public.${name} t
      WHERE (${isAboutBystander(table)}) AND NOT EXISTS (SELECT FROM bystanders.${name} b WHERE ${sameKey(table)});`
}
