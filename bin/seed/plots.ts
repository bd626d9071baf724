import { type Company, DAY_MS } from './company.ts'
import { isAnonymous } from './customers.ts'
import { drawBeginning, drawClosing, drawFirstReply, drawPause } from './moments.ts'
import { personOf } from './names.ts'
import { SeededRandom } from './seeded-random.ts'
import { ENGLISH } from './texts/chats.ts'
import { VIETNAMESE } from './texts/chats-vi.ts'
import { CITIES, CITIES_VI, COMMENTS, DAYS, PRODUCTS, PRODUCTS_VI } from './texts/facts.ts'
import { MAILS, TEXT_MESSAGES } from './texts/mails.ts'
import type { Thread } from './texts/thread.ts'

export type Source = 'chat' | 'email' | 'sms' | 'slack' | 'api'

export interface Line {
  /** The customer, the team, or a private note of the team. */
  author: 'c' | 'a' | 'n'
  text: string
  file: string | undefined
  /** Milliseconds since 1970, as all times here. */
  at: number
}

/** What happens in a conversation. */
export interface Plot {
  /** The conversation's number, from 0; the first twelve are the newest. */
  i: number
  customer: number
  agent: Company['users'][number]
  inbox: Company['inboxes'][number]
  source: Source
  subject: string | null
  topic: string | undefined
  lines: Line[]
  closed: number | null
  isPriority: boolean
  isRead: boolean
  rating: { score: number; comment: string | null; at: number } | undefined
}

const STALE_DAYS = 14
/** This many are the newest, and open. */
const NEWEST = 12

/** Yields one conversation after the other, always the same for the same company. */
export function* plots(company: Company, now: number): Generator<Plot> {
  const chance = new SeededRandom(42)
  const perConversation = company.messages / company.conversations
  let owed = 0
  for (let i = 0; i < company.conversations; i++) {
    owed += perConversation
    const count = company.messages > 0 ? Math.max(1, Math.round(owed)) : undefined
    const plot = drawPlot(company, i, now, chance, count)
    owed -= plot.lines.length
    yield plot
  }
}

function drawPlot(company: Company, i: number, now: number, chance: SeededRandom, wanted: number | undefined): Plot {
  const customer = drawCustomer(chance, company.customers, i)
  const { writesVietnamese } = personOf(customer)
  // Mostly the first ones of the team, so that their numbers differ in reports.
  const agent = company.users[Math.floor(chance.next() ** 1.6 * company.users.length)]!
  const source = drawSource(chance, customer, i)
  const threads = threadsOf(source, writesVietnamese)
  const thread = chance.pick(threads)
  const inbox = writesVietnamese ? company.inboxes.at(-1)! : chance.pick(company.inboxes.slice(0, -1))
  const begun = drawBeginning(chance, now, company.days, i)
  const isStale = now - begun > STALE_DAYS * DAY_MS
  const isClosed = i >= NEWEST && drawClosed(chance, source, isStale ? company.open_share : 0.55)
  const texts = textsFor(chance, thread, threads, wanted, isClosed)
  const fill = filler(chance, customer, agent.name)
  const times = timesOf(chance, texts, begun, now, source === 'email')
  const lines = texts.map((text, n) => readLine(text, fill, times[n]!))
  const closed = isClosed ? Math.min(lines.at(-1)!.at + drawClosing(chance), now) : null
  const isAnswered = lines.some(({ author }) => author === 'a')
  return {
    i,
    customer,
    agent,
    inbox,
    source,
    subject: source === 'email' && thread.subject ? fill(thread.subject) : null,
    topic: thread.topic,
    lines,
    closed,
    isPriority: !isStale && chance.next() < 0.12,
    isRead: isClosed || isStale || lines.at(-1)!.author !== 'c' || (i > 7 && chance.next() < 0.6),
    rating: closed && isAnswered && source === 'chat' ? drawRating(chance, closed, now) : undefined,
  }
}

/** The connections for text messages and Slack were removed, so nobody waits for an answer there. */
function drawClosed(chance: SeededRandom, source: Source, open_share: number): boolean {
  const draw = chance.next()
  return source === 'sms' || source === 'slack' || draw > open_share
}

/** Most of the newest conversations are of people with names, so that a screenshot shows them. */
function drawCustomer(chance: SeededRandom, customers: number, i: number): number {
  const customer = chance.below(customers)
  return i < NEWEST && i !== 3 && isAnonymous(customer) ? customer - 1 : customer
}

/** Mails are written by people whose address is known. */
function drawSource(chance: SeededRandom, customer: number, i: number): Source {
  const draw = chance.next()
  if (isAnonymous(customer)) return 'chat'
  if (draw < 0.24) return personOf(customer).writesVietnamese ? 'chat' : 'email'
  if (i < NEWEST) return 'chat'
  if (draw < 0.31 && customer % 3 === 0) return 'sms'
  if (draw < 0.36) return 'slack'
  return draw < 0.38 ? 'api' : 'chat'
}

function threadsOf(source: Source, isVietnamese: boolean): readonly Thread[] {
  if (source === 'email') return MAILS
  if (source === 'sms') return TEXT_MESSAGES
  return isVietnamese ? VIETNAMESE : ENGLISH
}

/**
 * The lines of a thread: cut short where customers still wait for a reply, and others appended until there are as many as
 * wanted.
 */
function textsFor(
  chance: SeededRandom,
  { lines }: Thread,
  threads: readonly Thread[],
  wanted: number | undefined,
  isClosed: boolean,
): string[] {
  if (wanted === undefined) return lines.slice(0, isClosed ? lines.length : Math.max(1, lines.length - chance.below(4)))
  const all = [...lines]
  while (all.length < wanted) all.push(...chance.pick(threads).lines)
  return all.slice(0, wanted)
}

/** When each line was written; none of them in the future. */
function timesOf(chance: SeededRandom, lines: string[], begun: number, now: number, isMail: boolean): number[] {
  let at = begun
  let isAnswered = false
  const times = lines.map((line, n) => {
    if (n === 0) return at
    const isFirstReply = !isAnswered && line.startsWith('a')
    isAnswered ||= isFirstReply
    at += isFirstReply ? drawFirstReply(chance, isMail) : drawPause(chance, isMail)
    return at
  })
  // Conversations that began a moment ago have shorter pauses.
  const tooLong = at > now ? (0.9 * (now - begun)) / (at - begun + 1) : 1
  return times.map((time) => Math.round(begun + (time - begun) * tooLong))
}

function readLine(line: string, fill: (text: string) => string, at: number): Line {
  const [, author, file, text] = /^([can]) (?:\[([\w.-]+)\] )?(.*)$/s.exec(line)!
  return { author: author as Line['author'], file, text: fill(text!), at }
}

/** Three of ten customers rate, most of them well. */
function drawRating(chance: SeededRandom, closed: number, now: number): Plot['rating'] {
  if (chance.next() > 0.3) return undefined
  const draw = chance.next()
  const score = draw < 0.58 ? 5 : draw < 0.82 ? 4 : draw < 0.91 ? 3 : draw < 0.96 ? 2 : 1
  const comment = score > 2 && chance.next() < 0.3 ? chance.pick(COMMENTS) : null
  return { score, comment, at: Math.min(closed + 60_000 + chance.below(3_600_000), now) }
}

function filler(chance: SeededRandom, customer: number, agent: string) {
  const person = personOf(customer)
  const values: Record<string, string> = {
    name: person.full_name,
    first: person.first_name,
    agent,
    order: `LO-${20_000 + chance.below(9000)}`,
    number: String(100 + chance.below(900)),
    day: chance.pick(DAYS),
    city: chance.pick(CITIES),
    cityVi: chance.pick(CITIES_VI),
    product: chance.pick(PRODUCTS),
    productVi: chance.pick(PRODUCTS_VI),
  }
  return (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? name)
}
