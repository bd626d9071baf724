import { type Company, DAY_MS, DOMAIN, iso, type Row } from './company.ts'
import { personOf } from './names.ts'
import { companyOf } from './records.ts'
import { idOf, SeededRandom } from './seeded-random.ts'
import { BROWSERS, PAGES, SYSTEMS, ZONES } from './texts/facts.ts'

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
  'origin',
  'field_sources',
  'created_at',
  'updated_at',
]

/** Every sixth visitor has no name. */
export function isAnonymous(customer: number): boolean {
  return customer % 6 === 5
}

/** The address that a named customer writes from. */
export function emailOf(customer: number): string {
  return `${personOf(customer).mailbox}@example.com`
}

/** Yields the customers in the order of their numbers. Their times are set once their conversations are known. */
export function* customerRows({ account_id, customers, days }: Company, now: number): Generator<Row> {
  const chance = new SeededRandom(7)
  for (let i = 0; i < customers; i++) {
    const isNamed = !isAnonymous(i)
    const seen = now - chance.below(days * DAY_MS)
    const path = chance.pick(PAGES)
    const sources = isNamed ? { name: 'import', email: 'import', external_id: 'import' } : {}
    yield [
      account_id,
      idOf(`customer ${i}`),
      isNamed ? personOf(i).full_name : null,
      isNamed ? emailOf(i) : null,
      isNamed && i % 3 === 0 ? `+44 20 7946 ${String(i % 10_000).padStart(4, '0')}` : null,
      isNamed ? `user_${1000 + i}` : null,
      isNamed ? companyOf(i) : null,
      iso(seen).slice(0, 10),
      iso(seen),
      chance.pick(ZONES),
      DOMAIN,
      path,
      `https://${DOMAIN}${path}`,
      chance.pick(BROWSERS),
      chance.pick(SYSTEMS),
      JSON.stringify(isNamed ? { plan: chance.pick(['free', 'plus', 'trade']), orders: 1 + chance.below(9) } : {}),
      isNamed ? 'import' : 'browser',
      JSON.stringify(sources),
      iso(seen),
      iso(seen),
    ]
  }
}
