import type pg from 'pg'
import { toJson } from '#server/platform/db/to-json.ts'
import type { Step } from '../../moving-in/reader.ts'
import { newId } from '../expressions.ts'
import { moveArticles } from './articles.ts'
import { macroOf } from './macros.ts'
import { type MovedAccount, NoEqual, readMovedAccounts, type StagedRow } from './moved-account.ts'
import { ruleOf } from './rules.ts'
import { viewOf } from './views.ts'

/** Why rows of what the team has set up have no equal here (`not_taken`), for the report. */
export const NOT_TAKEN_TABLE =
  'create temporary table not_taken (kind text, id bigint, reason text, primary key (kind, id)) on commit drop'

/** How one kind of thing that the team has set up is moved. */
interface Kind {
  /** The table of Chatwoot. */
  from: string
  /** The table here, with the same columns as what `convert` returns beside account, id and times. */
  to: string
  /** @throws NoEqual */
  convert(moved: MovedAccount, row: StagedRow): Record<string, unknown>
  /** An expression for its position among those of the account and `$1`, where there is one. */
  position?: string
}

const KINDS: Kind[] = [
  { from: 'macros', to: 'macros', convert: macroOf },
  {
    from: 'custom_filters',
    to: 'conversation_views',
    convert: viewOf,
    position: 'user_id is not distinct from x.user_id',
  },
  { from: 'automation_rules', to: 'rules', convert: ruleOf, position: 'true' },
]

/**
 * Moves macros, saved filters, automation rules and articles. Whatever has a part without an equal here is left out whole,
 * with the reason: half a rule does something else than its author meant.
 */
export async function moveSetUp(step: Step): Promise<void> {
  const { client } = step
  for (const moved of await readMovedAccounts(client)) {
    for (const kind of KINDS) await moveKind(client, moved, kind)
    await moveArticles(step, moved)
  }
}

async function moveKind(client: pg.Client, moved: MovedAccount, { from, to, convert, position }: Kind): Promise<void> {
  const { rows } = await client.query<StagedRow>(
    `select o.*, ${newId(from, 'o.id')} as new_id, created_at at time zone 'UTC' as born, updated_at at time zone 'UTC' as changed
     from old_${from} o where o.account_id = $1 and not exists (
       select from ${to} t where t.account_id = $2 and t.id = ${newId(from, 'o.id')}) order by o.id`,
    [moved.account, moved.account_id],
  )
  for (const row of rows) {
    try {
      await insert(client, to, position, {
        ...convert(moved, row),
        ...{ account_id: moved.account_id, id: row.new_id },
        ...{ created_at: row.born ?? new Date(), updated_at: row.changed ?? row.born ?? new Date() },
      })
    } catch (error) {
      if (!(error instanceof NoEqual)) throw error
      await client.query('insert into not_taken values ($1, $2, $3)', [from, row.id, error.message])
    }
  }
}

/** Inserts a row, whose lists and objects are columns of JSON, behind those that are there. */
async function insert(
  client: pg.Client,
  table: string,
  position: string | undefined,
  row: Record<string, unknown>,
): Promise<void> {
  const json = toJson(row)
  const last = `(select coalesce(max(t.position), 0) + 1 from ${table} t where t.account_id = x.account_id and ${position})`
  const columns = Object.keys(row).join(', ')
  await client.query(
    `insert into ${table} (${columns}${position ? ', position' : ''})
     select ${columns}${position ? `, ${last}` : ''} from jsonb_populate_record(null::${table}, $1::jsonb) x on conflict do nothing`,
    [json],
  )
}
