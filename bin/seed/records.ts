import { type Company, DAY_MS, DOMAIN, iso, type Row } from './company.ts'
import { idOf, SeededRandom } from './seeded-random.ts'
import { PAGES } from './texts/facts.ts'

// Records of the seeded company about its customers: companies, tags, notes, issues, visits; and its saved replies.

const COMPANIES = [
  ['Harbour Studio Ltd', 'Interior architects, buy for their projects', 'https://harbourstudio.example'],
  ['Nordlys Hotels', 'Eleven small hotels; one order a quarter', 'https://nordlys.example'],
  ['Công ty TNHH Ánh Dương', 'Chuỗi quán cà phê ở Đà Nẵng và Huế', 'https://anhduong.example'],
  ['Weiss & Söhne', 'Furniture shop in Graz, on trade terms', 'https://weiss.example'],
  ['Casa Ferreira', 'Holiday flats on the Douro; fourteen reading lamps each spring', 'https://casaferreira.example'],
  ['Lighthouse Magazine', 'Press: small makers, six issues a year', 'https://lighthouse.example'],
] as const

/** Of customers. */
const CUSTOMER_TAGS = [
  ['vip', 'Looked after by name', 'magenta'],
  ['wholesale', 'Buys on trade terms', 'purple'],
  ['photographer', 'Sends pictures of our lamps', 'blue'],
] as const

/** Of conversations, by topic. */
const TOPICS = [
  ['delivery', 'About a parcel', 'volcano'],
  ['damaged', 'Something arrived broken', 'red'],
  ['return', 'Goes back to us', 'orange'],
  ['invoice', 'Asks for a document', 'gold'],
  ['payment', 'Cards, transfers, refunds', 'green'],
  ['discount', 'Codes and sales', 'lime'],
  ['advice', 'Before buying', 'cyan'],
  ['assembly', 'Screws and manuals', 'geekblue'],
  ['trade', 'Offers for many pieces', 'purple'],
  ['press', 'Writes about us', 'blue'],
] as const

const SAVED_REPLIES = [
  ['hello', 'Hello, and thank you for writing! How can I help?'],
  [
    'delivery-times',
    'Lamps take **two to three** working days, furniture **one to two weeks**. You get a link to follow the parcel.',
  ],
  [
    'return',
    'You can return everything within 30 days. I have attached the label; just drop the parcel off at any parcel shop.',
  ],
  ['dimmer', 'Our lamps need a dimmer for LEDs, from 3 W upwards. Any electrician has one.'],
  ['vat', 'Which company name and VAT number shall the invoice show?'],
  ['sorry-damaged', 'I am so sorry that it arrived damaged. Would a replacement or 15% back suit you better?'],
  ['cam-on', 'Cảm ơn bạn đã nhắn cho shop! Mình có thể giúp gì cho bạn ạ?'],
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
  ['Screw F is missing in the bag of the Juniper desk', 'About one bag of two hundred.', 'in_progress'],
  ['Drawing of the Tidal shelf: mark the groove of the middle rail', null, 'unstarted'],
  ['Refunds stay unbooked when the parcel arrives on a Friday', 'Found by **two** customers in one week.', 'in_review'],
] as const

export const RECORD_COLUMNS = {
  companies: ['account_id', 'id', 'name', 'description', 'website_url'],
  tags: ['account_id', 'id', 'name', 'description', 'color'],
  customer_tags: ['account_id', 'customer_id', 'tag_id'],
  customer_notes: ['account_id', 'id', 'customer_id', 'author_id', 'body', 'created_at', 'updated_at'],
  issues: ['account_id', 'id', 'title', 'body', 'state', 'creator_id', 'created_at', 'updated_at'],
  customer_issues: ['account_id', 'customer_id', 'issue_id'],
  page_visits: ['account_id', 'customer_id', 'created_at', 'url'],
  saved_replies: ['account_id', 'id', 'name', 'content'],
}

type Table = keyof typeof RECORD_COLUMNS

/** All rows of these tables. Their numbers grow with the customers, but not every customer has notes. */
export function recordRows(company: Company, now: number): Record<Table, Row[]> {
  const { account_id, users, customers, days } = company
  const chance = new SeededRandom(11)
  const anyTime = () => iso(now - chance.next() ** 2 * days * DAY_MS)
  const everyNth = (every: number, rows: (customer_id: string, i: number) => Row[]) =>
    Array.from({ length: customers }, (_, i) =>
      chance.below(every) === 0 ? rows(idOf(`customer ${i}`), i) : [],
    ).flat()
  return {
    companies: COMPANIES.map((texts, i) => [account_id, idOf(`company ${i}`), ...texts]),
    tags: [...CUSTOMER_TAGS, ...TOPICS].map(([name, ...texts]) => [account_id, idOf(`tag ${name}`), name, ...texts]),
    customer_tags: everyNth(4, (customer_id) => [
      [account_id, customer_id, idOf(`tag ${CUSTOMER_TAGS[chance.below(CUSTOMER_TAGS.length)]![0]}`)],
    ]),
    customer_notes: everyNth(6, (customer_id, i) => {
      const at = anyTime()
      return [[account_id, idOf(`note ${i}`), customer_id, chance.pick(users).id, chance.pick(NOTES), at, at]]
    }),
    issues: ISSUES.map(([title, body, state], i) => [
      account_id,
      idOf(`issue ${i}`),
      title,
      body,
      state,
      users[i % users.length]!.id,
      iso(now - (40 + i * 31) * DAY_MS),
      iso(now - (1 + i * 9) * DAY_MS),
    ]),
    customer_issues: everyNth(8, (customer_id) => [
      [account_id, customer_id, idOf(`issue ${chance.below(ISSUES.length)}`)],
    ]),
    page_visits: everyNth(3, (customer_id) => {
      const first = now - chance.below(30 * DAY_MS)
      return Array.from({ length: 2 + chance.below(7) }, (_, n) => [
        account_id,
        customer_id,
        iso(Math.min(first + n * 47_000, now)),
        `https://${DOMAIN}${chance.pick(PAGES)}`,
      ])
    }),
    saved_replies: SAVED_REPLIES.map(([name, content]) => [account_id, idOf(`saved reply ${name}`), name, content]),
  }
}

/** The company of every fourth customer. */
export function companyOf(customer: number): string | null {
  return customer % 4 === 0 ? idOf(`company ${(customer / 4) % COMPANIES.length}`) : null
}
