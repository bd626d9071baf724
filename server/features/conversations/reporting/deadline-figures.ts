import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { DeadlineFigures } from '#contract/conversations/reporting.ts'
import { csvHead, csvLine } from '../../../platform/csv.ts'
import type { Db } from '../../../platform/db/change.ts'
import { andMatches, type ReportRange } from './frame.ts'

/** How a deadline `d` stands. */
const state = sql`case when d.broken_at is not null then 'missed' when d.done_at is not null then 'met' else 'open' end`

/** Deadlines `d` of the frame, with their conversations `c`. Cancelled ones count only if they were missed before. */
function inFrame(frame: ReportRange) {
  const { account_id, from, to } = frame
  return sql`
    from deadlines d join conversations c on c.account_id = d.account_id and c.id = d.conversation_id
    where d.account_id = ${account_id} and d.started_at > ${from} and d.started_at < ${to}
      and d.target_seconds is not null and (d.cancelled_at is null or d.broken_at is not null) ${andMatches(frame)}`
}

/** Met and missed deadlines that started in the frame, by policy and kind. */
export async function readDeadlineFigures(db: Db, frame: ReportRange): Promise<DeadlineFigures[]> {
  const { rows } = await sql<DeadlineFigures>`
    select policy_name, kind, count(*) filter (where state = 'met')::int as met,
           count(*) filter (where state = 'missed')::int as missed, count(*) filter (where state = 'open')::int as open
    from (select d.policy_name, d.kind, ${state} as state ${inFrame(frame)}) deadlines
    group by policy_name, kind order by policy_name, kind`.execute(db)
  return rows
}

const COLUMNS = [
  'id',
  'conversation_id',
  'kind',
  'policy_name',
  'state',
  'started_at',
  'due_at',
  'done_at',
  'counted_seconds',
  'target_seconds',
] as const

type DeadlineLine = Record<(typeof COLUMNS)[number], string | number | null>

const BATCH = 1000

/** One row for each deadline that started in the frame, earliest first, a thousand at a time. */
export function exportDeadlines(db: Db, frame: ReportRange): Readable {
  return Readable.from(lines(db, frame), { objectMode: false })
}

async function* lines(db: Db, frame: ReportRange): AsyncGenerator<string> {
  yield csvHead([...COLUMNS])
  let last: DeadlineLine | undefined
  for (;;) {
    const rows = await readDeadlines(db, frame, last)
    if (rows.length > 0) yield rows.map((row) => csvLine(COLUMNS.map((column) => row[column]))).join('')
    last = rows.at(-1)
    if (rows.length < BATCH) return
  }
}

async function readDeadlines(db: Db, frame: ReportRange, after: DeadlineLine | undefined): Promise<DeadlineLine[]> {
  const { rows } = await sql<DeadlineLine>`
    select d.id, d.conversation_id, d.kind, d.policy_name, ${state} as state, d.started_at, d.due_at, d.done_at,
           d.used_seconds as counted_seconds, d.target_seconds ${inFrame(frame)}
      ${after ? sql`and (d.started_at, d.id) > (${after.started_at}, ${after.id})` : sql``}
    order by d.started_at, d.id limit ${BATCH}`.execute(db)
  return rows
}
