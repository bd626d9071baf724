import { type SqlBool, sql } from 'kysely'
import type { LanguageModelUsage, ModelPurpose } from '#contract/connections/language-model.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'
import { newId } from '../../../platform/secrets.ts'
import { ModelRefused } from './model-refused.ts'

/** Tokens of a request. */
export interface Tokens {
  tokens_in: number
  tokens_out: number
}

/** Whom a request is counted for, and in which month. */
export interface Counted {
  account_id: string
  user_id: number | null
  purpose: ModelPurpose
  month: string
}

/** Longer than a year, so that a month can be compared with the same one of the year before. */
const KEPT_DAYS = 400
const MOST_PEOPLE = 200

/** The first day of the current month, in UTC. */
export function currentMonth(): string {
  return `${new Date().toISOString().slice(0, 7)}-01`
}

/** How many tokens a text has, roughly: models count differently, and few characters are more than a token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3)
}

/**
 * Counts a request with what it may use at most, before it is made, so that several at once cannot exceed the month
 * together. `correctUsage` corrects it afterwards.
 * @throws ModelRefused if the month's tokens do not suffice
 */
export async function reserveUsage({ db }: Change, counted: Counted, expected: Tokens): Promise<void> {
  const { account_id, month } = counted
  // Locked, so that requests of one account are counted one after the other.
  const bound = await ofAccount(db, account_id)
    .selectFrom('language_models')
    .select('tokens_per_month')
    .forUpdate()
    .executeTakeFirst()
  const { total } = await ofAccount(db, account_id)
    .selectFrom('language_model_usage')
    .select(sql<number>`coalesce(sum(tokens_in::bigint + tokens_out), 0)`.as('total'))
    .where('month', '=', month)
    .executeTakeFirstOrThrow()
  if (total + expected.tokens_in + expected.tokens_out > (bound?.tokens_per_month ?? 0))
    throw new ModelRefused(
      'The tokens that this account allows its model in a month are used up. An admin can raise the bound under Settings › Language model.',
    )
  await addUsage(db, counted, { requests: 1, ...expected })
}

/** Replaces what was reserved by what was used. */
export function correctUsage({ db }: Change, counted: Counted, expected: Tokens, used: Tokens): Promise<void> {
  return addUsage(db, counted, {
    requests: 0,
    tokens_in: used.tokens_in - expected.tokens_in,
    tokens_out: used.tokens_out - expected.tokens_out,
  })
}

async function addUsage(db: Change['db'], counted: Counted, added: Tokens & { requests: number }): Promise<void> {
  await db
    .insertInto('language_model_usage')
    .values({ ...counted, ...added, id: newId() })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'month', 'user_id', 'purpose']).doUpdateSet(({ ref }) => ({
        requests: sql<number>`${ref('language_model_usage.requests')} + excluded.requests`,
        tokens_in: sql<number>`greatest(0, ${ref('language_model_usage.tokens_in')} + excluded.tokens_in)`,
        tokens_out: sql<number>`greatest(0, ${ref('language_model_usage.tokens_out')} + excluded.tokens_out)`,
      })),
    )
    .execute()
}

/** How much an account has used its model in this month. */
export async function readUsage(db: Db, account_id: string, tokens_per_month: number): Promise<LanguageModelUsage> {
  const month = currentMonth()
  const rows = ofAccount(db, account_id)
    .selectFrom('language_model_usage')
    .select([
      sql<number>`sum(requests)`.as('requests'),
      sql<number>`sum(tokens_in)`.as('tokens_in'),
      sql<number>`sum(tokens_out)`.as('tokens_out'),
    ])
    .where('month', '=', month)
    .orderBy(sql`sum(tokens_in::bigint + tokens_out)`, 'desc')
  const [people, purposes] = await Promise.all([
    rows.select('user_id').groupBy('user_id').orderBy('user_id').limit(MOST_PEOPLE).execute(),
    rows.select('purpose').groupBy('purpose').orderBy('purpose').$castTo<LanguageModelUsage['purposes'][0]>().execute(),
  ])
  return {
    object: 'language_model_usage',
    month,
    tokens: purposes.reduce((sum, { tokens_in, tokens_out }) => sum + tokens_in + tokens_out, 0),
    tokens_per_month,
    people,
    purposes,
  }
}

/** Deletes the counts of months long ago. */
export function pruneUsage(db: Db): Promise<void> {
  return pruneRows(db, 'language_model_usage', sql<SqlBool>`month < current_date - ${sql.lit(KEPT_DAYS)}`)
}
