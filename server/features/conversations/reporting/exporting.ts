import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { daysBetween } from '#contract/days.ts'
import { csvHead, csvLine } from '../../../platform/csv.ts'
import type { Db } from '../../../platform/db/change.ts'
import { readConversationFigures } from './conversation-figures.ts'
import { andMatches, type ReportRange } from './frame.ts'
import { readMessageFigures } from './message-figures.ts'

const DAY_COLUMNS = ['date', 'conversations', 'messages', 'sent_messages', 'received_messages']

/** One row for each day of the frame, including days without events. */
export async function exportDays(db: Db, frame: ReportRange): Promise<string> {
  const messages = await readMessageFigures(db, frame)
  const conversations = await readConversationFigures(db, frame, { schedules: undefined, lists: false })
  const columns = [
    conversations.conversations_by_date,
    messages.messages_by_date,
    messages.sent_messages_by_date,
    messages.received_messages_by_date,
  ].map((counts) => new Map(counts.map(({ date, count }) => [date, count])))
  const rows = daysBetween(frame.first_day, frame.last_day).map((date) =>
    csvLine([date, ...columns.map((counts) => counts.get(date) ?? 0)]),
  )
  return csvHead(DAY_COLUMNS) + rows.join('')
}

const CONVERSATION_COLUMNS = [
  'id',
  'created_at',
  'customer_id',
  'inbox',
  'source',
  'status',
  'assignee',
  'messages',
  'first_replied_at',
  'seconds_to_first_reply',
  'closed_at',
  'seconds_to_resolution',
  'rating',
  'tags',
] as const

type ConversationLine = Record<(typeof CONVERSATION_COLUMNS)[number], string | number | null>

const BATCH = 1000

/**
 * One row for each conversation started in the frame, earliest first, a thousand at a time. Contains no customer names.
 */
export function exportConversations(db: Db, frame: ReportRange): Readable {
  return Readable.from(lines(db, frame), { objectMode: false })
}

async function* lines(db: Db, frame: ReportRange): AsyncGenerator<string> {
  yield csvHead(CONVERSATION_COLUMNS)
  let last: ConversationLine | undefined
  for (;;) {
    const rows = await readConversations(db, frame, last)
    if (rows.length > 0) yield rows.map((row) => csvLine(CONVERSATION_COLUMNS.map((column) => row[column]))).join('')
    last = rows.at(-1)
    if (rows.length < BATCH) return
  }
}

async function readConversations(
  db: Db,
  frame: ReportRange,
  after: ConversationLine | undefined,
): Promise<ConversationLine[]> {
  const { account_id, from, to } = frame
  const { rows } = await sql<ConversationLine>`
    select c.id, c.created_at, c.customer_id, i.name as inbox, c.source, c.status, u.email as assignee,
           (select count(*)::int from messages m where m.account_id = ${account_id} and m.conversation_id = c.id) as messages,
           c.first_replied_at, extract(epoch from c.first_replied_at - c.created_at)::float8 as seconds_to_first_reply,
           c.closed_at, case when c.status = 'closed' then extract(epoch from c.closed_at - c.created_at)::float8 end as seconds_to_resolution,
           (select r.score from conversation_ratings r where r.account_id = ${account_id} and r.conversation_id = c.id) as rating,
           (select string_agg(t.name, ' ' order by t.name) from conversation_tags x join tags t on t.account_id = x.account_id and t.id = x.tag_id
            where x.account_id = ${account_id} and x.conversation_id = c.id) as tags
    from conversations c
    join inboxes i on i.account_id = c.account_id and i.id = c.inbox_id
    left join users u on u.account_id = c.account_id and u.id = c.assignee_id
    where c.account_id = ${account_id} and c.created_at > ${from} and c.created_at < ${to}
      ${after ? sql`and (c.created_at, c.id) > (${after.created_at}, ${after.id})` : sql``}
      ${andMatches(frame)}
    order by c.created_at, c.id limit ${BATCH}`.execute(db)
  return rows
}
