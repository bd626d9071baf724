import type { FieldSource } from '#contract/customers/customers.ts'
import type { Database } from '../../../platform/db/schema.ts'

/** The source of a customer's field. What an unsigned browser sends may be invented. */
export type Source = FieldSource | 'browser'

interface AnyColumn {
  /**
   * Who says what is in it, besides the server itself: an unsigned browser, a signed token (`proof`), a message (`mail`), an
   * imported list, or the team with its API keys.
   */
  set_by: readonly Source[]
  /** A field of a customer as the team and API clients read it, and as events contain it. */
  team?: true
  /**
   * What visitors see: never, always, `own` (what a browser or a signed token said), or `session` (only a browser with a
   * visitor session sees it).
   */
  visitor: 'never' | 'always' | 'own' | 'session'
  /** What the survivor of a merge does: keeps its own, fills an empty one, or takes the earlier or later time, if either has one. */
  merge: 'keep' | 'fill' | 'earlier' | 'later'
  /** A column of the exported list. */
  csv?: true
  /** What remains when a customer is deleted or erased: nothing, or the value as it is. */
  erase: null | '{}' | 'kept'
}

/** Says who somebody is: its source is recorded, and an unsigned browser does not overwrite other sources. */
interface IdentityColumn extends AnyColumn {
  identity: true
  /**
   * Its value alone tells who somebody is, wherever it stands: it is erased also where another customer had taken it, and
   * drafts of help articles and suggested answers are written without it.
   */
  direct_identifier: boolean
}

interface OtherColumn extends AnyColumn {
  identity?: never
  direct_identifier?: never
}

type Column = IdentityColumn | OtherColumn

const ANYBODY = ['browser', 'proof', 'mail', 'import', 'team'] as const
/** Who somebody is. */
const identity = { set_by: ANYBODY, identity: true, team: true, visitor: 'own', merge: 'fill', erase: null } as const
/** What a browser reports about itself; also by programs that create customers for their own pages. */
const unseen = { set_by: ['browser', 'team'], visitor: 'never', merge: 'keep', erase: null } as const
const device = { ...unseen, team: true, visitor: 'own' } as const
/** Set by the server, and no personal data. */
const internal = { set_by: [], visitor: 'never', merge: 'keep', erase: 'kept' } as const
const time = { ...internal, team: true, visitor: 'always', csv: true } as const

/**
 * Every column of `customers`, with what changing, merging, exporting and erasing do, and who sees it: their functions
 * read this table. In the order of the exported list, on which programs rely.
 */
export const COLUMNS = {
  id: { ...internal, team: true, visitor: 'always', csv: true },
  name: { ...identity, direct_identifier: true, csv: true },
  email: { ...identity, direct_identifier: true, csv: true },
  created_at: time,
  updated_at: time,
  first_seen: { ...time, merge: 'earlier' },
  last_seen_at: { ...time, merge: 'later' },
  phone: { ...identity, direct_identifier: true, csv: true },
  // Decides which customers are the same, so it does not move by itself.
  external_id: { ...identity, direct_identifier: true, merge: 'keep', csv: true },
  host: { ...device, csv: true },
  pathname: { ...device, csv: true },
  current_url: { ...device, csv: true },
  browser: { ...device, csv: true },
  os: { ...device, csv: true },
  ip: { ...internal, team: true, visitor: 'session', csv: true, erase: null },
  time_zone: { ...identity, direct_identifier: false, csv: true },
  profile_photo_url: { ...identity, direct_identifier: true, set_by: ['browser', 'proof', 'mail', 'team'] },
  company_id: { ...internal, set_by: ['team'], team: true, merge: 'fill', erase: null },
  // Its sources are recorded by key, and so are the keys that visitors see.
  metadata: { ...device, set_by: ANYBODY, erase: '{}' },
  browser_version: unseen,
  browser_language: unseen,
  screen_height: unseen,
  screen_width: unseen,
  lib: unseen,
  blocked_at: { ...internal, team: true },
  // Who wants no mails wants none as a part of the survivor either.
  complained_at: { ...internal, team: true, merge: 'earlier' },
  field_sources: { ...internal, team: true, erase: '{}' },
  claimed_external_id: { ...internal, team: true, erase: null },
  claimed_customer_id: { ...internal, team: true, erase: null },
  account_id: internal,
  merged_into: internal,
  deleted_at: internal,
  identity_proven_at: internal,
  unsubscribed_at: { ...internal, merge: 'earlier' },
  origin: internal,
  // The database derives it from the others.
  words: internal,
} as const satisfies Record<keyof Database['customers'], Column>

type Columns = typeof COLUMNS

/** The names of the columns that say this about themselves. */
export type ColumnsWhere<Key extends keyof Column, Value extends Column[Key]> = {
  [Name in keyof Columns]: Columns[Name] extends { readonly [K in Key]: Value } ? Name : never
}[keyof Columns]

/** The columns that say this about themselves, in the order of the table. */
export function columnsWhere<Key extends keyof Column, const Value extends Column[Key]>(key: Key, value: Value) {
  const entries = Object.entries(COLUMNS as Record<string, Column>)
  return entries.filter(([, column]) => column[key] === value).map(([name]) => name) as ColumnsWhere<Key, Value>[]
}

export const DIRECT_IDENTIFIERS = columnsWhere('direct_identifier', true)
/** What tells who a customer is. */
export type DirectIdentifiers = Record<(typeof DIRECT_IDENTIFIERS)[number], string | null>

/** The columns that a source may set. */
export function columnsSetBy<S extends Source>(source: S) {
  const entries = Object.entries(COLUMNS as Record<string, Column>)
  const names = entries.filter(([, { set_by }]) => set_by.includes(source)).map(([name]) => name)
  return names as { [Name in keyof Columns]: S extends Columns[Name]['set_by'][number] ? Name : never }[keyof Columns][]
}

/** The values that a source may set; others are dropped. */
export function settable<Values extends object>(values: Values, source: Source): Values {
  const columns: readonly string[] = columnsSetBy(source)
  return Object.fromEntries(Object.entries(values).filter(([name]) => columns.includes(name))) as Values
}

/** Empty values of everything that identifies a customer. */
export const ERASED = Object.fromEntries(
  Object.entries(COLUMNS).flatMap(([name, { erase }]) => (erase === 'kept' ? [] : [[name, erase]])),
)
