/** `npm run schema`: regenerates server/platform/db/schema.ts from a freshly migrated database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbeddedDatabase } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'

const target = resolve(import.meta.dirname, '../server/platform/db/schema.ts')

interface Column {
  table: string
  column: string
  /** PostgreSQL's internal type name, such as `int4`; with `is_array` that of the element. */
  type: string
  is_array: boolean
  is_nullable: boolean
  has_default: boolean
  is_always_generated: boolean
  /** The allowed values, from an enum or a check `column in ('a', 'b')`. */
  choices: string[] | null
}

const head = `// Written by \`npm run schema\` from the migrated database. Do not edit: change the tables by a migration.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { JsonText } from './to-json.ts'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
// Written as text, because the driver would turn a JavaScript array into a PostgreSQL array.
type Json = ColumnType<JsonValue, JsonText, JsonText>
type JsonWithDefault = ColumnType<JsonValue, JsonText | undefined, JsonText>
type JsonOrNull = ColumnType<JsonValue | null, JsonText | null | undefined, JsonText | null>
`

const types: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
}

/** TypeScript declarations of all tables in the public schema, by name. */
export async function describeSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Column>(columnsQuery)
  const tables = [...new Set(rows.map(({ table }) => table))]
  const bodies = tables.map((table) => describeTable(table, rows.filter((row) => row.table === table)))
  const list = tables.map((table) => `  ${table}: ${typeName(table)}`)
  return [head, ...bodies, `export interface Database {\n${list.join('\n')}\n}\n`].join('\n')
}

function describeTable(table: string, columns: Column[]): string {
  const lines = columns.map((column) => `  ${column.column}: ${describeColumn(column)}`)
  return `interface ${typeName(table)} {\n${lines.join('\n')}\n}\n`
}

/** `auth_sessions` → `AuthSessionsTable`. */
function typeName(table: string): string {
  const words = table.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Table`
}

function describeColumn(column: Column): string {
  if (/^jsonb?$/.test(column.type) && !column.is_array) {
    if (column.is_nullable) return 'JsonOrNull'
    return column.has_default ? 'JsonWithDefault' : 'Json'
  }
  const type = column.is_nullable ? `${valueType(column)} | null` : valueType(column)
  if (column.is_always_generated) return `GeneratedAlways<${type}>`
  // Nullable columns are optional anyway.
  return column.has_default && !column.is_nullable ? `Generated<${type}>` : type
}

function valueType({ type, is_array, choices }: Column): string {
  const elementType = choices ? choices.map((choice) => `'${choice}'`).join(' | ') : (types[type] ?? 'string')
  if (!is_array) return elementType
  return choices ? `(${elementType})[]` : `${elementType}[]`
}

const columnsQuery = `
  SELECT t.relname AS table,
         a.attname AS column,
         coalesce(element.typname, type.typname) AS type,
         element.oid IS NOT NULL AS is_array,
         NOT a.attnotnull AS is_nullable,
         a.atthasdef OR a.attidentity <> '' AS has_default,
         a.attidentity = 'a' OR a.attgenerated <> '' AS is_always_generated,
         coalesce(
           (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e
             WHERE e.enumtypid = coalesce(element.oid, type.oid)),
           (SELECT array_agg(choice[1] ORDER BY at)
              FROM pg_constraint c,
                   regexp_matches(pg_get_constraintdef(c.oid), '''([^'']+)''::text', 'g') WITH ORDINALITY AS m (choice, at)
             WHERE c.conrelid = t.oid AND c.contype = 'c' AND c.conkey = ARRAY[a.attnum]
               AND pg_get_constraintdef(c.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[')
         ) AS choices
    FROM pg_class t
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type type ON type.oid = a.atttypid
    LEFT JOIN pg_type element ON element.oid = type.typelem AND type.typcategory = 'A'
   WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
   ORDER BY t.relname COLLATE "C", a.attnum`

if (import.meta.main) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-schema-'))
  const log = pino({ level: 'warn' })
  const server = await startEmbeddedDatabase({ dataDir, log })
  try {
    await migrate(server.connection, log)
    const client = new pg.Client(server.connection)
    await client.connect()
    await writeFile(target, await describeSchema(client))
    await client.end()
    console.log(`Wrote ${target}`)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
