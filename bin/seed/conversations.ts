import { type Company, DAY_MS, DOMAIN, iso, type Row } from './company.ts'
import { emailOf } from './customers.ts'
import { asHtml } from './mail-html.ts'
import { personOf } from './names.ts'
import { type Line, type Plot, plots } from './plots.ts'
import { idOf } from './seeded-random.ts'

export const CONVERSATION_COLUMNS = [
  'account_id',
  'id',
  'customer_id',
  'inbox_id',
  'assignee_id',
  'source',
  'subject',
  'status',
  'priority',
  'read',
  'created_at',
  'updated_at',
  'last_activity_at',
  'closed_at',
  'closed_by_id',
  'first_replied_at',
  'last_number',
  'version',
]
export const MESSAGE_COLUMNS = [
  'account_id',
  'id',
  'conversation_id',
  'number',
  'body',
  'type',
  'private',
  'source',
  'customer_id',
  'user_id',
  'sent_at',
  'seen_at',
  'created_at',
]
export const MAIL_COLUMNS = [
  'account_id',
  'message_id',
  'conversation_id',
  'direction',
  'message_header',
  'subject',
  'from_address',
  'from_name',
  'proof',
  'recipients',
  'html',
  'created_at',
]
export const RATING_COLUMNS = [
  'account_id',
  'id',
  'conversation_id',
  'user_id',
  'score',
  'comment',
  'created_at',
  'updated_at',
]
export const THREAD_COLUMNS = [
  'account_id',
  'id',
  'authorization_id',
  'conversation_id',
  'role',
  'place',
  'thread',
  'created_at',
]

/** A file of a message. */
export interface SentFile {
  name: string
  message_id: string
  /** Null if the team sent it. */
  customer_id: string | null
  user_id: number | null
  at: string
}

/** The rows of a conversation. */
export interface Seeded {
  conversation: Row
  messages: Row[]
  mails: Row[]
  ratings: Row[]
  threads: Row[]
  files: SentFile[]
  /** What it is about: the name of a tag. */
  topic: string | undefined
}

/** Older conversations have no files, which keeps the data folder small. */
const MAX_FILE_AGE_DAYS = 400

/** Yields one conversation after the other with all that belongs to it, so that memory stays constant. */
export function* conversations(company: Company, now: number): Generator<Seeded> {
  for (const plot of plots(company, now)) {
    const isRecent = now - plot.lines[0]!.at < MAX_FILE_AGE_DAYS * DAY_MS
    yield {
      conversation: conversationRow(company, plot),
      messages: plot.lines.map((line, n) => messageRow(company, plot, line, n)),
      mails: plot.subject ? mailRows(company, plot, plot.subject) : [],
      ratings: ratingRows(company, plot),
      threads: threadRows(company, plot),
      files: isRecent && company.files.size > 0 ? filesOf(plot) : [],
      topic: plot.topic,
    }
  }
}

const idsOf = ({ i, customer }: Plot) => ({ id: idOf(`conversation ${i}`), customer_id: idOf(`customer ${customer}`) })
const messageIdOf = ({ i }: Plot, n: number) => idOf(`message ${i} ${n}`)

function conversationRow({ account_id }: Company, plot: Plot): Row {
  const { lines, closed, agent } = plot
  const { id, customer_id } = idsOf(plot)
  const last = lines.at(-1)!.at
  const reply = lines.find(({ author }) => author === 'a')
  return [
    account_id,
    id,
    customer_id,
    plot.inbox.id,
    reply ? agent.id : null,
    plot.source,
    plot.subject,
    closed ? 'closed' : 'open',
    plot.isPriority ? 'priority' : 'not_priority',
    plot.isRead,
    iso(lines[0]!.at),
    iso(closed ?? last),
    iso(last),
    closed && iso(closed),
    closed && reply ? agent.id : null,
    reply ? iso(reply.at) : null,
    lines.length,
    lines.length,
  ]
}

function messageRow({ account_id }: Company, plot: Plot, { author, text, at }: Line, n: number): Row {
  const { id, customer_id } = idsOf(plot)
  const byCustomer = author === 'c'
  const isNote = author === 'n'
  const answered = plot.lines.findLastIndex((line) => line.author === 'a')
  const isSeen = byCustomer ? plot.isRead || n < answered : !isNote && (!!plot.closed || n < plot.lines.length - 1)
  return [
    account_id,
    messageIdOf(plot, n),
    id,
    n + 1,
    text,
    isNote ? 'note' : 'reply',
    isNote,
    plot.source,
    byCustomer ? customer_id : null,
    byCustomer ? null : plot.agent.id,
    `${iso(at).slice(0, 19)}Z`,
    isSeen ? iso(at) : null,
    iso(at),
  ]
}

function mailRows({ account_id }: Company, plot: Plot, subject: string): Row[] {
  const customer = { address: emailOf(plot.customer), name: personOf(plot.customer).full_name }
  const team = { address: plot.inbox.address, name: `${plot.agent.name} from Lumen & Oak` }
  const conversation_id = idsOf(plot).id
  return plot.lines.flatMap(({ author, text, at }, n) => {
    if (author === 'n') return []
    const byCustomer = author === 'c'
    const [from, to] = byCustomer ? [customer, team] : [team, customer]
    const message_id = messageIdOf(plot, n)
    const row: Row = [
      account_id,
      message_id,
      conversation_id,
      byCustomer ? 'in' : 'out',
      `<${message_id}@${byCustomer ? 'mail.example.com' : DOMAIN}>`,
      n === 0 ? subject : `Re: ${subject}`,
      from.address,
      from.name,
      byCustomer ? 'pass' : null,
      `{"${to.address}"}`,
      byCustomer ? asHtml(text) : null,
      iso(at),
    ]
    return [row]
  })
}

function filesOf(plot: Plot): SentFile[] {
  return plot.lines.flatMap(({ author, file, at }, n) => {
    if (!file) return []
    const sender =
      author === 'c'
        ? { customer_id: idsOf(plot).customer_id, user_id: null }
        : { customer_id: null, user_id: plot.agent.id }
    return [{ name: file, message_id: messageIdOf(plot, n), at: iso(at), ...sender }]
  })
}

function ratingRows({ account_id }: Company, plot: Plot): Row[] {
  if (!plot.rating) return []
  const { score, comment } = plot.rating
  const at = iso(plot.rating.at)
  return [[account_id, idOf(`rating ${plot.i}`), idsOf(plot).id, plot.agent.id, score, comment, at, at]]
}

/** Conversations by text message and Slack came through connections that were removed since; chats were copied to Slack. */
function threadRows({ account_id, former }: Company, plot: Plot): Row[] {
  const { i, source } = plot
  const at = plot.lines[0]!.at
  const thread = `${Math.floor(at / 1000)}.${String(i % 1_000_000).padStart(6, '0')}`
  const row = (authorization_id: string, role: string, channel: string) => [
    [account_id, idOf(`thread ${i}`), authorization_id, idsOf(plot).id, role, channel, thread, iso(at)],
  ]
  if (source === 'sms') return row(former.twilio, 'origin', '')
  if (source === 'slack') return row(former.slack, 'origin', 'C0SHARED')
  return i % 4 === 0 ? row(former.slack, 'mirror', 'C0SUPPORT') : []
}
