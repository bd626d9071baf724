import type { Company, Row } from './rows.ts'
import { idOf, SeededRandom } from './seeded-random.ts'

// Records of the seeded company about its customers: companies, tags, notes, issues.

const HOUR_MS = 3_600_000

const COMPANIES = [
  ['Harbour Studio Ltd', 'Interior architects, buy for their projects', 'https://harbourstudio.example'],
  ['Nordlys Hotels', 'Eleven small hotels; one order a quarter', 'https://nordlys.example'],
  ['Công ty TNHH Ánh Dương', 'Chuỗi quán cà phê ở Đà Nẵng và Huế', 'https://anhduong.example'],
  ['Weiss & Söhne', 'Furniture shop in Graz, on trade terms', 'https://weiss.example'],
] as const

const TAGS = [
  ['vip', 'Looked after by name', 'magenta'],
  ['trade', 'Buys on trade terms', 'purple'],
  ['press', 'Writes or photographs', 'blue'],
  ['refund', 'Money went back', 'red'],
  ['delivery', 'About a parcel', 'volcano'],
] as const

const NOTES = [
  'Prefers to be **called in the afternoon**.',
  'Ordered the Juniper desk twice by mistake last year; always check the basket.',
  'Renovating a guest house: six rooms, asks for samples in oak.',
  'Sends lovely photos. Asked whether we may use them: yes.',
  'Lives on the third floor without a lift, book the two-person delivery.',
  'Khách quen, thích màu gỗ sồi. Nhớ báo khi có hàng mới.',
]

const ISSUES = [
  ['Oak reading lamp flickers below 40%', 'Only with dimmers made for halogen.', 'in_progress'],
  ['Packing corner dents the Moss armchair', 'Seen on **three** parcels of the October batch.', 'in_review'],
  ['Checkout refuses private windows', 'The bank’s window is blocked there.', 'unstarted'],
  ['Invoice shows the old address', null, 'done'],
  ['Offer the Tidal shelf in walnut', 'Asked for again and again.', 'unstarted'],
  ['WELCOME10 ran out too early', null, 'closed'],
] as const

export const RECORD_TABLES = [
  'companies',
  'tags',
  'customer_tags',
  'conversation_tags',
  'customer_notes',
  'issues',
  'customer_issues',
] as const

type Table = (typeof RECORD_TABLES)[number]

export const RECORD_COLUMNS: Record<Table, string[]> = {
  companies: ['account_id', 'id', 'name', 'description', 'website_url'],
  tags: ['account_id', 'id', 'name', 'description', 'color'],
  customer_tags: ['account_id', 'customer_id', 'tag_id'],
  conversation_tags: ['account_id', 'conversation_id', 'tag_id'],
  customer_notes: ['account_id', 'id', 'customer_id', 'author_id', 'body', 'created_at', 'updated_at'],
  issues: ['account_id', 'id', 'title', 'body', 'state', 'creator_id', 'created_at', 'updated_at'],
  customer_issues: ['account_id', 'customer_id', 'issue_id'],
}

/** All rows of these tables. Their numbers grow with the customers, but not every customer has notes. */
export function recordRows(company: Company, now: number): Record<Table, Row[]> {
  const { account_id, user_ids, customers, conversations } = company
  const chance = new SeededRandom(11)
  const ago = (hours: number) => new Date(now - hours * HOUR_MS).toISOString()
  const some = (every: number, of: number, row: (i: number) => Row[]) =>
    Array.from({ length: of }, (_, i) => (chance.below(every) === 0 ? row(i) : [])).flat()
  return {
    companies: COMPANIES.map((texts, i) => [account_id, idOf(`company ${i}`), ...texts]),
    tags: TAGS.map((texts, i) => [account_id, idOf(`tag ${i}`), ...texts]),
    customer_tags: some(4, customers, (i) => [[account_id, idOf(`customer ${i}`), idOf(`tag ${chance.below(3)}`)]]),
    conversation_tags: some(3, conversations, (i) => [
      [account_id, idOf(`conversation ${i}`), idOf(`tag ${3 + chance.below(2)}`)],
    ]),
    customer_notes: some(6, customers, (i) => {
      const at = ago(chance.below(600))
      const author = user_ids[chance.below(user_ids.length)]!
      return [[account_id, idOf(`note ${i}`), idOf(`customer ${i}`), author, chance.pick(NOTES), at, at]]
    }),
    issues: ISSUES.map(([title, body, state], i) => [
      account_id,
      idOf(`issue ${i}`),
      title,
      body,
      state,
      user_ids[i % user_ids.length]!,
      ago(900 - i * 20),
      ago(200 - i * 30),
    ]),
    customer_issues: some(8, customers, (i) => [
      [account_id, idOf(`customer ${i}`), idOf(`issue ${chance.below(ISSUES.length)}`)],
    ]),
  }
}

/** The company of every ninth named customer. */
export function companyOf(customer: number): string | null {
  return customer % 9 === 0 ? idOf(`company ${(customer / 9) % COMPANIES.length}`) : null
}
