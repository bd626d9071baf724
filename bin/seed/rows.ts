import { companyOf } from './records.ts'
import { idOf, SeededRandom } from './seeded-random.ts'
import {
  BROWSERS,
  CITIES,
  CITIES_VI,
  DAYS,
  ENGLISH,
  NAMES,
  PAGES,
  PRODUCTS,
  PRODUCTS_VI,
  SYSTEMS,
  VIETNAMESE,
  ZONES,
} from './threads.ts'

export interface Company {
  account_id: string
  user_ids: number[]
  agents: string[]
  inbox_ids: string[]
  customers: number
  conversations: number
  messages: number
}

export type Row = (string | number | boolean | null)[]

const DAY_MS = 86_400_000
/** Conversations are spread over the last days, this many. */
const SPAN_DAYS = 60

export const CUSTOMER_COLUMNS = [
  'account_id',
  'id',
  'name',
  'email',
  'phone',
  'external_id',
  'company_id',
  'first_seen',
  'last_seen_at',
  'time_zone',
  'host',
  'pathname',
  'current_url',
  'browser',
  'os',
  'metadata',
  'created_at',
  'updated_at',
]

export function* customerRows({ account_id, customers }: Company, now: number): Generator<Row> {
  const chance = new SeededRandom(7)
  for (let i = 0; i < customers; i++) {
    // Every fourth visitor has no name.
    const name = i % 4 === 3 ? null : nameOf(i)
    const seen = now - chance.below(SPAN_DAYS * DAY_MS)
    const path = chance.pick(PAGES)
    yield [
      account_id,
      idOf(`customer ${i}`),
      name,
      name && `${asciiName(name)}${i}@example.com`,
      name && i % 3 === 0 ? `+44 20 7946 ${String(i % 10_000).padStart(4, '0')}` : null,
      name && `user_${1000 + i}`,
      name && companyOf(i),
      iso(seen - 30 * DAY_MS).slice(0, 10),
      iso(seen),
      chance.pick(ZONES),
      'lumenandoak.example',
      path,
      `https://lumenandoak.example${path}`,
      chance.pick(BROWSERS),
      chance.pick(SYSTEMS),
      JSON.stringify(name ? { plan: chance.pick(['free', 'plus', 'trade']) } : {}),
      iso(seen - 30 * DAY_MS),
      iso(seen),
    ]
  }
}

export const CONVERSATION_COLUMNS = [
  'account_id',
  'id',
  'customer_id',
  'inbox_id',
  'assignee_id',
  'status',
  'priority',
  'read',
  'created_at',
  'updated_at',
  'last_activity_at',
  'closed_at',
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
  'customer_id',
  'user_id',
  'sent_at',
  'seen_at',
  'created_at',
]

interface Seeded {
  conversation: Row
  messages: Row[]
}

/** Yields one conversation after the other with its messages, so that memory stays constant. */
export function* conversations(company: Company, now: number): Generator<Seeded> {
  const chance = new SeededRandom(42)
  const perConversation = company.messages / company.conversations
  let owed = 0
  for (let i = 0; i < company.conversations; i++) {
    owed += perConversation
    const count = company.messages > 0 ? Math.max(1, Math.round(owed)) : undefined
    const seeded = conversation(company, i, now, chance, count)
    owed -= seeded.messages.length
    yield seeded
  }
}

function conversation(
  company: Company,
  i: number,
  now: number,
  chance: SeededRandom,
  wanted: number | undefined,
): Seeded {
  const { account_id, user_ids, inbox_ids } = company
  const id = idOf(`conversation ${i}`)
  const customer = chance.below(company.customers)
  const customer_id = idOf(`customer ${customer}`)
  const agent = chance.below(user_ids.length)
  const words = fill(chance, customer, company.agents[agent]!)
  const status = chance.next() < 0.62 ? 'open' : 'closed'
  const texts = linesFor(chance, isVietnamese(customer) ? VIETNAMESE : ENGLISH, wanted)
  const last = now - Math.floor(chance.next() ** 2 * SPAN_DAYS * DAY_MS)
  const replied = texts.findIndex((text) => text.startsWith('a'))
  const answered = texts.findLastIndex((text) => text.startsWith('a'))
  const read = status === 'closed' || !texts.at(-1)!.startsWith('c') || chance.next() < 0.5
  const messages = texts.map((text, n): Row => {
    const at = iso(last - (texts.length - 1 - n) * 95_000)
    const byCustomer = text.startsWith('c')
    const isNote = text.startsWith('n')
    return [
      account_id,
      idOf(`message ${i} ${n}`),
      id,
      n + 1,
      words(text.slice(2)),
      isNote ? 'note' : 'reply',
      isNote,
      byCustomer ? customer_id : null,
      byCustomer ? null : user_ids[agent]!,
      `${at.slice(0, 19)}Z`,
      (byCustomer ? read || n < answered : !isNote && n < texts.length - 1) ? at : null,
      at,
    ]
  })
  const first = iso(last - (texts.length - 1) * 95_000)
  const row: Row = [
    account_id,
    id,
    customer_id,
    isVietnamese(customer) ? inbox_ids.at(-1)! : chance.pick(inbox_ids.slice(0, -1)),
    replied < 0 ? null : user_ids[agent]!,
    status,
    chance.next() < 0.08 ? 'priority' : 'not_priority',
    read,
    first,
    iso(last),
    iso(last),
    status === 'closed' ? iso(last) : null,
    replied < 0 ? null : (messages[replied]!.at(-1) as string),
    texts.length,
    texts.length,
  ]
  return { conversation: row, messages }
}

/** A thread, cut short for some so that customers wait for a reply, or repeated until it is long enough. */
function linesFor(chance: SeededRandom, threads: typeof ENGLISH, wanted: number | undefined): string[] {
  const thread = chance.pick(threads)
  if (wanted === undefined) return thread.slice(0, Math.max(1, thread.length - chance.below(3)))
  const lines: string[] = []
  while (lines.length < wanted) lines.push(...(lines.length ? chance.pick(threads) : thread))
  return lines.slice(0, wanted)
}

function fill(chance: SeededRandom, customer: number, agent: string) {
  const values: Record<string, string> = {
    first: nameOf(customer)
      .split(' ')
      .at(isVietnamese(customer) ? -1 : 0)!,
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

/** Vietnamese names begin with the family name; people are addressed by the last one. */
function isVietnamese(customer: number): boolean {
  return customer % NAMES.length >= NAMES.length - 8
}

function nameOf(customer: number): string {
  return NAMES[customer % NAMES.length]!
}

function asciiName(name: string): string {
  return name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll(' ', '.')
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
