import type pg from 'pg'

export interface Table {
  name: string
  /** Without generated columns. */
  columns: string[]
  /** Columns of the primary key: the order in which rows are written. */
  key: string[]
  /** A condition for the exported rows; all if missing. */
  only?: string
  /** Read from this query instead of the table. */
  from?: string
}

/**
 * Not exported: rows about this installation and its servers, the event log with the consumers' positions, search
 * tables, and counters.
 */
const DERIVED = [
  'migrations',
  'installation',
  'leases',
  'servers',
  'events',
  'event_followers',
  'message_words',
  'subject_words',
  'unread_counters',
]

/** All tables with records, referenced ones first. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select c.relname as name,
            array(select attname::text from pg_attribute a where a.attrelid = c.oid and attnum > 0
                  and not attisdropped and attgenerated = '' order by attnum) as columns,
            array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality k (attnum, place)
                  join pg_attribute a on a.attnum = k.attnum
                  where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid order by k.place) as key
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relname = any ($1)
     order by c.relname`,
    [DERIVED],
  )
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select distinct conrelid::regclass::text as from, confrelid::regclass::text as to
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  return inOrder(tables, (name) =>
    references.filter((reference) => reference.from === name && reference.to !== name).map(({ to }) => to),
  )
}

/** Sorts tables after those they reference, otherwise by name, so that the order is stable. */
function inOrder(tables: Table[], referredTo: (name: string) => string[]): Table[] {
  const ordered: Table[] = []
  const visit = (table: Table | undefined) => {
    if (!table || ordered.includes(table)) return
    for (const name of referredTo(table.name).sort()) visit(tables.find((other) => other.name === name))
    ordered.push(table)
  }
  for (const table of tables) visit(table)
  return ordered
}

/** `"tags"`, or with a schema `"jobs"."job"`. */
export function quotedTable(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')
}

export function quoted(names: string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
