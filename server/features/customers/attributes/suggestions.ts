import { sql } from 'kysely'
import { readAttributeValue } from '#contract/customers/attribute-values.ts'
import {
  type AttributeKind,
  type AttributeSubject,
  type AttributeSuggestion,
  SUGGESTED_FROM,
} from '#contract/customers/attributes.ts'
import type { Db } from '../../../platform/db/change.ts'
import { listAttributes } from './definitions.ts'

/** Suggestions in one answer. */
const MAX_SUGGESTIONS = 30
/** Kinds that a value tells by itself, the narrowest first. */
const TELLING: AttributeKind[] = ['yes_no', 'number', 'date', 'link']

interface UsedKey {
  key: string
  count: number
  /** Some of its values. */
  samples: unknown[]
}

/** Keys in the metadata of the latest customers or conversations that are no attributes yet, the most frequent first. */
export async function suggestAttributes(
  db: Db,
  account_id: string,
  subject: AttributeSubject,
): Promise<AttributeSuggestion[]> {
  const latest = subject === 'customer' ? latestCustomers(account_id) : latestConversations(account_id)
  const { rows } = await sql<UsedKey>`
    select key, count(*)::int as count, (array_agg(value))[1:20] as samples
    from (${latest}) l, jsonb_each(case when jsonb_typeof(l.metadata) = 'object' then l.metadata else '{}' end)
    where jsonb_typeof(value) in ('string', 'number', 'boolean') and length(key) <= 100
    group by key order by count(*) desc, key limit 200`.execute(db)
  const defined = new Set((await listAttributes(db, account_id, subject)).map(({ key }) => key))
  return rows
    .filter(({ key }) => !defined.has(key) && key.trim() === key && key !== '')
    .slice(0, MAX_SUGGESTIONS)
    .map(({ key, count, samples }) => ({ key, count, kind: guessKind(samples) }))
}

function latestCustomers(account_id: string) {
  return sql`select metadata from customers where account_id = ${account_id} and merged_into is null
    and deleted_at is null order by last_seen_at desc, id desc limit ${SUGGESTED_FROM}`
}

/** Of each status, because the index of the latest ones begins with it. */
function latestConversations(account_id: string) {
  return sql`select c.metadata from (values ('open'), ('closed')) s (status), lateral (
    select metadata from conversations where account_id = ${account_id} and status = s.status and archived_at is null
    order by last_activity_at desc, id desc limit ${SUGGESTED_FROM / 2}) c`
}

function guessKind(samples: unknown[]): AttributeKind {
  const fitsAll = (kind: AttributeKind) =>
    samples.every((sample) => {
      // The texts 0 and 1 are numbers rather than no and yes.
      if (kind === 'yes_no' && typeof sample === 'string' && /^[01]$/.test(sample)) return false
      return readAttributeValue({ kind, choices: [] }, sample)?.problem === undefined
    })
  return TELLING.find(fitsAll) ?? 'text'
}
