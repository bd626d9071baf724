import type {
  LanguageModelChanges,
  LanguageModelSettings,
  LanguageModelUsage,
  ModelSearch,
} from '#contract/connections/language-model.ts'
import { MODEL_BOUNDS } from '#contract/connections/language-model.ts'
import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { contextIn } from '../../../platform/crypto/encrypted-columns.ts'
import { type Change, type Db, type FieldChanges, hasChanges } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { recordAudit, recordChanges } from '../../accounts/audit/audit.ts'
import { streamAnswer } from './complete.ts'
import { type ModelAddress, modelKeys, readModelAddress } from './model.ts'
import { readUsage } from './usage.ts'

const FIELDS = ['base_url', 'model', 'is_enabled', 'tokens_per_month', 'requests_per_hour', 'reads_notes'] as const

const NOTHING_YET: LanguageModelSettings = {
  object: 'language_model_settings',
  base_url: null,
  model: null,
  has_key: false,
  is_enabled: false,
  ...MODEL_BOUNDS,
  reads_notes: false,
}

/** The settings of the account's model, without its key. */
export async function loadSettings(db: Db, account_id: string): Promise<LanguageModelSettings> {
  const row = await ofAccount(db, account_id)
    .selectFrom('language_models')
    .select([...FIELDS, (eb) => eb('api_key', 'is not', null).as('has_key')])
    .$castTo<Omit<LanguageModelSettings, 'object'>>()
    .executeTakeFirst()
  return { ...NOTHING_YET, ...row }
}

/** What is to be stored, and what must be known to ask the model. */
interface WantedModel {
  before: LanguageModelSettings
  after: LanguageModelSettings & { base_url: string; model: string }
  address: ModelAddress
  hasNewKey: boolean
}

/**
 * Changes the settings. A model that is switched on is tried before, with a small request, so that nobody meets a wrong
 * key in the middle of their work. Recorded in the audit trail.
 * @throws Invalid, ModelRefused with a sentence if the model does not answer
 */
export async function changeSettings(
  context: Context,
  caller: User,
  changes: LanguageModelChanges,
): Promise<LanguageModelSettings> {
  const wanted = await planChanges(context, caller.account_id, changes)
  const { before, after, address, hasNewKey } = wanted
  const isOther = hasNewKey || before.base_url !== after.base_url || before.model !== after.model
  if (after.is_enabled && (isOther || !before.is_enabled)) await tryModel(context, address)
  await context.change((tx) => saveSettings(tx, context, caller, wanted))
  return after
}

async function planChanges(
  { db, keys }: Context,
  account_id: string,
  changes: LanguageModelChanges,
): Promise<WantedModel> {
  const [before, stored] = await Promise.all([loadSettings(db, account_id), readModelAddress(db, keys, account_id)])
  const { base_url = before.base_url, model = before.model } = changes
  if (!base_url) throw new Invalid({ base_url: ["can't be blank"] })
  if (!model) throw new Invalid({ model: ["can't be blank"] })
  // A key is sent to the address for which it was entered, and to no other.
  const kept = stored?.base_url === base_url ? stored.key : undefined
  const key = changes.key === undefined ? kept : changes.key || undefined
  const isSame = stored?.base_url === base_url && stored.model === model
  const after = {
    ...before,
    base_url,
    model,
    has_key: key !== undefined,
    is_enabled: changes.is_enabled ?? before.is_enabled,
    tokens_per_month: changes.tokens_per_month ?? before.tokens_per_month,
    requests_per_hour: changes.requests_per_hour ?? before.requests_per_hour,
    reads_notes: changes.reads_notes ?? before.reads_notes,
  }
  const address = { base_url, model, key, refused_parameters: isSame ? stored.refused_parameters : [] }
  return { before, after, address, hasNewKey: key !== stored?.key }
}

/** A request that any model answers, with few words. @throws ModelRefused with a sentence */
async function tryModel({ outbound, timing }: Context, address: ModelAddress): Promise<void> {
  const { answerTrial } = timing
  const trial = streamAnswer(
    { outbound, timing: { ...timing, answerStart: answerTrial, answerWhole: answerTrial } },
    address,
    {
      messages: [{ role: 'user', content: 'Answer with the word OK.' }],
      max_tokens: 64,
      expected: { tokens_in: 0, tokens_out: 0 },
      used: { tokens_in: 0, tokens_out: 0 },
      mayBeEmpty: true,
    },
  )
  while (!(await trial.next()).done);
}

async function saveSettings(
  tx: Change,
  { keys }: Context,
  caller: User,
  { before, after, address, hasNewKey }: WantedModel,
): Promise<void> {
  const { account_id } = caller
  const { key, refused_parameters } = address
  const { object: _, has_key: __, ...fields } = after
  const api_key = key ? keys.encrypt(contextIn(modelKeys, account_id, account_id), key) : null
  const values = { ...fields, api_key, refused_parameters }
  await tx.db
    .insertInto('language_models')
    .values({ account_id, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
  const changed: FieldChanges = Object.fromEntries(
    FIELDS.filter((name) => before[name] !== after[name]).map((name) => [
      name,
      { from: before[name], to: after[name] },
    ]),
  )
  const audited = { action: 'language_model.changed', subject_name: after.model }
  if (hasChanges(changed)) return recordChanges(tx, caller, audited, changed)
  if (hasNewKey) await recordAudit(tx, caller, { ...audited, details: { fields: ['key'] } })
}

/** Forgets the model, its address and its key. What it was used for stays counted. */
export async function removeModel(tx: Change, caller: User): Promise<void> {
  const row = await ofAccount(tx.db, caller.account_id)
    .deleteFrom('language_models')
    .returning('model')
    .executeTakeFirst()
  if (row) await recordAudit(tx, caller, { action: 'language_model.removed', subject_name: row.model })
}

/** The key that may be sent to an address: the given one, or the stored one if it belongs there. */
export async function keyFor(
  { db, keys }: Context,
  account_id: string,
  { base_url, key }: ModelSearch,
): Promise<string | undefined> {
  if (key) return key
  const stored = await readModelAddress(db, keys, account_id)
  return stored?.base_url === base_url ? stored.key : undefined
}

/** How much the account's model was used in this month. */
export async function loadUsage(db: Db, account_id: string): Promise<LanguageModelUsage> {
  const { tokens_per_month } = await loadSettings(db, account_id)
  return readUsage(db, account_id, tokens_per_month)
}
