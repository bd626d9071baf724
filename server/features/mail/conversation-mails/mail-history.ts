import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

interface ConversationKey {
  id: string
  customer_id: string
}

/** Who may be answered in a conversation, by the mails in it. All addresses in lower case. */
export interface MailHistory {
  /** The address for answers; null if the customer has none. */
  to: string | null
  /** People who get copies. */
  cc: string[]
  /** Everybody whom the team or a proven participant has included. Somebody who only wrote here is not among them. */
  participants: Set<string>
  /** Those of them who are the customer, or to whom the team has written. */
  correspondents: Set<string>
  /** To and Cc of the team's last mail. */
  last_answer: { to: string[]; cc: string[] } | null
}

/** Older mails change nothing about who takes part now. */
const MAILS_LIMIT = 500
const COPIES_LIMIT = 50

interface HistoryOptions {
  /** Addresses of the account, in lower case. */
  own: ReadonlySet<string>
  /** Only mails of messages with a smaller number. */
  before?: number | undefined
}

/**
 * Reads who takes part in a conversation. The customer decides where answers go, and only by mails whose sender is
 * proven: whoever writes last, or in somebody's name, changes nothing, and neither does a machine.
 */
export function readMailHistory(
  db: Db,
  account_id: string,
  conversation: ConversationKey,
  options: HistoryOptions,
): Promise<MailHistory> {
  return walkMails(db, account_id, conversation, options, () => undefined)
}

/** The same; calls `visit` with each mail, oldest first, and who took part before it. */
export async function walkMails(
  db: Db,
  account_id: string,
  conversation: ConversationKey,
  { own, before }: HistoryOptions,
  visit: (row: MailRow, history: MailHistory, customer: string | null) => void,
): Promise<MailHistory> {
  const customer = await readCustomerAddress(db, account_id, conversation.customer_id)
  const rows = await listMails(db, account_id, conversation.id, before)
  const initial = customer ? [customer] : []
  const [participants, correspondents] = [new Set(initial), new Set(initial)]
  const history: MailHistory = { to: customer, cc: [], participants, correspondents, last_answer: null }
  for (const row of rows.toReversed()) {
    visit(row, history, customer)
    addMail(history, row, { own, customer })
  }
  return history
}

type MailRow = Awaited<ReturnType<typeof listMails>>[number]

function addMail(
  history: MailHistory,
  row: MailRow,
  { own, customer }: { own: ReadonlySet<string>; customer: string | null },
): void {
  const { participants, correspondents } = history
  const isOther = (address: string) => address !== customer && isPersonal(address, own)
  const [to, cc, bcc] = [lower(row.recipients), lower(row.cc), lower(row.bcc)]
  if (row.isOfTeam) {
    for (const address of [...to, ...cc, ...bcc]) {
      participants.add(address)
      correspondents.add(address)
    }
    history.last_answer = { to, cc }
    history.cc = unique([...to, ...cc].filter((address) => isOther(address) && address !== history.to))
    return
  }
  const { from_address: from, proof, isOfPerson } = row
  if (!isOfPerson || proof !== 'pass' || !from || !participants.has(from)) return
  const isCustomer = from === customer
  if (isCustomer) history.to = row.answer_to?.toLowerCase() ?? customer
  const others = [...to, ...cc, ...(isCustomer ? [] : [from])].filter(
    (address) => isOther(address) && address !== history.to,
  )
  history.cc = unique(others)
  for (const address of others) participants.add(address)
}

/** Whether it is somebody's address: neither one of ours nor a reply address. */
export function isPersonal(address: string, own: ReadonlySet<string>): boolean {
  return !own.has(address) && !/(?:^|\+)reply\+/.test(address)
}

function unique(addresses: string[]): string[] {
  return [...new Set(addresses)].slice(0, COPIES_LIMIT)
}

function lower(addresses: string[]): string[] {
  return addresses.map((address) => address.toLowerCase())
}

/** Newest first. */
async function listMails(db: Db, account_id: string, conversation_id: string, before: number | undefined) {
  const rows = await ofAccount(db, account_id)
    .selectFrom('message_mails')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.account_id', '=', 'message_mails.account_id')
        .onRef('messages.id', '=', 'message_mails.message_id'),
    )
    .select(['message_id', 'direction', 'verdict', 'from_address', 'from_name', 'proof', 'answer_to'])
    .select(['recipients', 'message_mails.cc', 'message_mails.bcc', 'messages.customer_id', 'messages.private'])
    .where('message_mails.conversation_id', '=', conversation_id)
    .$if(before !== undefined, (query) => query.where('messages.number', '<', before!))
    .orderBy('messages.number', 'desc')
    .limit(MAILS_LIMIT)
    .execute()
  return rows.map(({ verdict, private: isPrivate, customer_id, ...row }) => ({
    ...row,
    isOfPerson: verdict === 'person' && customer_id !== null,
    /** Sent by us, or by a member of the team with another program. */
    isOfTeam: row.direction === 'out' || (customer_id === null && !isPrivate && verdict === 'person'),
  }))
}

async function readCustomerAddress(db: Db, account_id: string, customer_id: string): Promise<string | null> {
  const row = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select(sql<string | null>`lower(email)`.as('address'))
    .where('id', '=', customer_id)
    .executeTakeFirst()
  return row?.address || null
}
