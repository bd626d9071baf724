import { type RawBuilder, sql } from 'kysely'
import type { CompanyProfile, Message } from '#contract/conversations/messages.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { NeedsOwnTransaction } from '../../../platform/db/group-commit.ts'
import { loadTogether } from '../../../platform/db/load-together.ts'
import * as users from '../../accounts/users/users.ts'
import * as customers from '../../customers/customers/customers.ts'
import { companyProfile } from '../messages/for-customer.ts'
import type { ConversationDbRow } from './conversations.ts'

/** The author as included in a message. */
type Writer = Partial<Pick<Message, 'user' | 'customer'>>

interface Question {
  conversation_id: string
  /** The author, if it is a customer. */
  customer_id: string | null
  /** The author, if it is a user. */
  user_id: number | null
  /** The id the message is going to have, if its sender chose it. */
  message_id: string | null
}

export interface Opened {
  conversation: ConversationDbRow
  /** Without the customer if it was deleted. */
  writer: Writer
  /** What its customer is shown in place of a user, if the inbox hides its people. */
  company: CompanyProfile | undefined
  /** Whether a message with the id is already stored, in any account: ids are unique in the installation. */
  isRepeated: boolean
  /** When the row was locked; later than every message before. */
  locked_at: string
}

/**
 * Locks the conversation of a new message, or the one that it was merged into, until the transaction ends, and reads everything that posting depends on, in
 * one statement. Work in a shared transaction does not wait for the lock.
 * @throws NeedsOwnTransaction if the transaction is shared and the row locked or missing
 */
export async function openForPosting(tx: Change, account_id: string, question: Question): Promise<Opened | undefined> {
  const { db, isShared } = tx
  const opened = isShared
    ? await openIfFree(db, account_id, question)
    : (await readOpened(db, account_id, [question])).get(question)
  if (isShared && !opened) throw new NeedsOwnTransaction()
  const merged_into = opened?.conversation.merged_into
  return merged_into ? openForPosting(tx, account_id, { ...question, conversation_id: merged_into }) : opened
}

const openIfFree = loadTogether((db, account_id, questions: Question[]) =>
  readOpened(db, account_id, questions, sql`skip locked`),
)

async function readOpened(
  db: Db,
  account_id: string,
  questions: Question[],
  whenLocked: RawBuilder<unknown> = sql``,
): Promise<Map<Question, Opened>> {
  const { rows } = await sql<Record<string, unknown>>`
    select conversations.*, ${CUSTOMER.columns}, ${USER.columns},
      case when asked.user_id is not null then ${companyProfile} end as company,
      exists (select from messages where messages.id = asked.message_id) as is_repeated,
      clock_timestamp()::timestamptz(3) as locked_at
    from (${asTable(questions)}) as asked (conversation_id, customer_id, user_id, message_id)
    join conversations on conversations.account_id = ${account_id} and conversations.id = asked.conversation_id
    left join customers on customers.account_id = conversations.account_id and customers.id = asked.customer_id
      and customers.deleted_at is null
    left join users on users.account_id = conversations.account_id and users.id = asked.user_id
    order by conversations.id for update of conversations ${whenLocked}`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    questions.flatMap((question) => {
      const row = byId.get(question.conversation_id)
      return row ? [[question, toOpened(row)]] : []
    }),
  )
}

/** The same statement for any number of questions, and a simpler one for the most common number, planned only once. */
function asTable(questions: Question[]) {
  const [first] = questions
  if (first && questions.length === 1) {
    const { conversation_id, customer_id, user_id, message_id } = first
    return sql`values (${conversation_id}::uuid, ${customer_id}::uuid, ${user_id}::int, ${message_id}::uuid)`
  }
  const column = <Value>(read: (question: Question) => Value) => questions.map(read)
  return sql`select * from unnest(
    ${column(({ conversation_id }) => conversation_id)}::uuid[], ${column(({ customer_id }) => customer_id)}::uuid[],
    ${column(({ user_id }) => user_id)}::int[], ${column(({ message_id }) => message_id)}::uuid[])`
}

function toOpened(row: Record<string, unknown>): Opened {
  return {
    conversation: row as unknown as ConversationDbRow,
    writer: {
      ...(row['customers.id'] !== null && { customer: customers.presentCustomerRow(CUSTOMER.read(row)) }),
      ...(row['users.id'] !== null && { user: users.presentUser(USER.read(row)) }),
    },
    company: (row.company as CompanyProfile | null) ?? undefined,
    isRepeated: row.is_repeated as boolean,
    locked_at: row.locked_at as string,
  }
}

const CUSTOMER = columnsOf<customers.CustomerRow>('customers', customers.columns)
const USER = columnsOf<users.UserRow>('users', users.columns)

/** The columns of a joined table, which share names with those of others. */
function columnsOf<Row>(table: string, columns: readonly string[]) {
  const nameOf = (column: string) => `${table}.${column}`
  return {
    columns: sql.raw(columns.map((column) => `${nameOf(column)} as "${nameOf(column)}"`).join()),
    read: (row: Record<string, unknown>) =>
      Object.fromEntries(columns.map((column) => [column, row[nameOf(column)]])) as Row,
  }
}
