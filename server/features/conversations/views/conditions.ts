import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { NOBODY } from '#contract/conversations/rule-conditions.ts'
import {
  isNegation,
  ME,
  type ViewCondition,
  type ViewConditions,
  type ViewFieldName,
} from '#contract/conversations/view-conditions.ts'
import { escapeLike } from '../messages/messages.ts'
import { dayOf, keyQuery, matchQuery, prefixTerms, type Term } from '../search/terms.ts'
import { compareAttribute } from './compare-attribute.ts'

/** Whose conversations, who looks at them, and when. */
export interface Scope {
  account_id: string
  me: number
  now: Date
}

type Sql = RawBuilder<SqlBool>
type Compile = (values: string[], scope: Scope, operator: ViewCondition['operator'], key: string | undefined) => Sql

const DAY_MS = 86_400_000
/** Messages are indexed by day: older ones would cost a look-up for each day. */
const TEXT_DAYS = 30

/**
 * What each field asks of a row of `conversations`. A new field does not compile until it is here. Each condition is
 * answered by columns of the row, or by rows that an index finds.
 */
const COMPILERS: Record<ViewFieldName, Compile> = {
  status: (values) => anyOf(values.map((value) => STATUSES[value as keyof typeof STATUSES])),
  unread: () => sql`not conversations.read`,
  priority: (values) => sql`conversations.priority = any(${values})`,
  assignee: (values, scope) => isUser(sql.ref('conversations.assignee_id'), values, scope),
  mentions: (values, { account_id, me }) => sql`conversations.id in (select m.conversation_id from mentions m
    where m.account_id = ${account_id} and m.user_id = any(${userIds(values, me)}::integer[]))`,
  team: (values) => isOneOf(sql.ref('conversations.team_id'), 'uuid', values),
  inbox: (values) => isOneOf(sql.ref('conversations.inbox_id'), 'uuid', values),
  channel: (values) => sql`conversations.source = any(${values})`,
  tags: (values, { account_id }) => sql`conversations.id in (select t.conversation_id from conversation_tags t
    where t.account_id = ${account_id} and t.tag_id = any(${values}::uuid[]))`,
  overdue: (_, { now }) => sql`conversations.due_at < ${now.toISOString()}`,
  due_in: ([minutes], { now }, operator) => {
    const limit = later(now, Number(minutes))
    return operator === 'less_than' ? sql`conversations.due_at < ${limit}` : sql`conversations.due_at > ${limit}`
  },
  waiting_for_team: ([minutes], scope, operator) => isWaiting('team', scope, Number(minutes), operator),
  waiting_for_customer: ([minutes], scope, operator) => isWaiting('customer', scope, Number(minutes), operator),
  last_activity: ([minutes], { now }, operator) =>
    isAgo(sql.ref('conversations.last_activity_at'), now, Number(minutes), operator),
  created: ([minutes], { now }, operator) => isAgo(sql.ref('conversations.created_at'), now, Number(minutes), operator),
  subject: (values, { account_id }) =>
    anyOf(
      values.map(termOf).map(
        (term) => sql<SqlBool>`conversations.id in (select s.conversation_id from subject_words s
          where s.account_id = ${account_id} and s.words @@ ${matchQuery([term])}::tsquery
          and search_keys(s.account_id, null, s.words, null) @@ ${keyQuery([term], account_id)}::tsquery)`,
      ),
    ),
  text: (values, scope) => anyOf(values.map(termOf).map((term) => hasMessage(term, scope))),
  customer: (values, { account_id }) =>
    anyOf(
      values.map(termOf).map(
        (term) => sql<SqlBool>`conversations.customer_id in (select p.id from customers p
          where p.account_id = ${account_id} and p.words @@ ${matchQuery([term])}::tsquery
          and search_keys(p.account_id, null, p.words, null) @@ ${keyQuery([term], account_id)}::tsquery)`,
      ),
    ),
  customer_company: (values, { account_id }) => sql`conversations.customer_id in (select p.id from customers p
    join companies o on o.account_id = p.account_id and o.id = p.company_id
    where p.account_id = ${account_id} and o.name ilike any(${values.map((value) => `%${escapeLike(value)}%`)}))`,
  customer_language: (values, { account_id }) => {
    const languages = values.map((value) => value.toLowerCase())
    return sql`conversations.customer_id in (select p.id from customers p where p.account_id = ${account_id}
      and (lower(p.browser_language) = any(${languages}) or split_part(lower(p.browser_language), '-', 1) = any(${languages})))`
  },
  // Looked up for each conversation that is left, instead of reading the metadata of all customers.
  customer_metadata: (values, { account_id }, operator, key = '') => sql`exists (select from customers p
    where p.account_id = ${account_id} and p.id = conversations.customer_id
    and ${compareAttribute(sql.ref('p.metadata'), key, operator, values)})`,
  conversation_metadata: (values, _, operator, key = '') =>
    compareAttribute(sql.ref('conversations.metadata'), key, operator, values),
}

const STATUSES = {
  open: sql<SqlBool>`(conversations.status = 'open' and conversations.snoozed_at is null)`,
  snoozed: sql<SqlBool>`conversations.snoozed_at is not null`,
  closed: sql<SqlBool>`conversations.status = 'closed'`,
}

/** The conditions as parts of a query over `conversations`, all of which must hold. */
export function compileConditions(conditions: ViewConditions, scope: Scope): Sql[] {
  return conditions.map((list) => anyOf(list.map((condition) => compile(condition, scope))))
}

function compile({ field, operator, values, key }: ViewCondition, scope: Scope): Sql {
  const condition = COMPILERS[field](values, scope, operator, key)
  // `not` would leave out rows without a value, which are not the value either.
  return isNegation(operator) ? sql<SqlBool>`(${condition}) is not true` : condition
}

function anyOf(conditions: Sql[]): Sql {
  return conditions.length === 1 ? conditions[0]! : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

function userIds(values: string[], me: number): number[] {
  return values.filter((value) => value !== NOBODY).map((value) => (value === ME ? me : Number(value)))
}

function isUser(column: RawBuilder<unknown>, values: string[], { me }: Scope): Sql {
  const nobody = values.filter((value) => value === NOBODY)
  return isOneOf(column, 'integer', [...userIds(values, me).map(String), ...nobody])
}

/** One value is compared by itself: the index by this column then also gives the order of the list. */
function isOneOf(column: RawBuilder<unknown>, type: 'uuid' | 'integer', values: string[]): Sql {
  const ids = values.filter((value) => value !== NOBODY)
  const cast = sql.raw(type)
  const isAny =
    ids.length === 1 ? sql<SqlBool>`${column} = ${ids[0]}::${cast}` : sql<SqlBool>`${column} = any(${ids}::${cast}[])`
  if (ids.length === values.length) return isAny
  const isNone = sql<SqlBool>`${column} is null`
  return ids.length === 0 ? isNone : anyOf([isAny, isNone])
}

function later(now: Date, minutes: number): string {
  return new Date(now.getTime() + minutes * 60_000).toISOString()
}

function isAgo(column: RawBuilder<unknown>, now: Date, minutes: number, operator: ViewCondition['operator']): Sql {
  const limit = later(now, -minutes)
  return operator === 'more_than' ? sql<SqlBool>`${column} < ${limit}` : sql<SqlBool>`${column} > ${limit}`
}

/** Only open conversations wait. */
function isWaiting(
  who: 'team' | 'customer',
  { account_id, now }: Scope,
  minutes: number,
  operator: ViewCondition['operator'],
): Sql {
  const wait = sql`select w.conversation_id from conversation_waits w where w.account_id = ${account_id} and w.waiting_for = ${who}`
  return sql`conversations.status = 'open' and conversations.id in (${wait} and ${isAgo(sql.ref('w.since'), now, minutes, operator)})`
}

function termOf(value: string): Term {
  const [term] = prefixTerms([value])
  return term!
}

function hasMessage(term: Term, { account_id, now }: Scope): Sql {
  const today = dayOf(now.toISOString())
  const keys = Array.from({ length: TEXT_DAYS }, (_, days) => keyQuery([term], account_id, today - days))
  return sql`conversations.id in (select w.conversation_id from message_words w
    where w.account_id = ${account_id} and w.words @@ ${matchQuery([term])}::tsquery
    and w.created_at > ${new Date(now.getTime() - TEXT_DAYS * DAY_MS).toISOString()}
    and search_keys(w.account_id, search_day(w.created_at), w.words, w.user_id) @@ any(${keys}::tsquery[]))`
}
