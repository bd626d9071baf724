import type { LanguageModelState } from '#contract/connections/language-model.ts'
import { contextIn, type EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'
import { decryptIfPossible, type Keyring } from '../../../platform/crypto/keyring.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** The keys of models, encrypted for their account only. */
export const modelKeys: EncryptedColumn = { table: 'language_models', column: 'api_key', row: 'account_id' }

/** A parameter that some servers or models refuse. */
export type RefusableParameter = 'max_completion_tokens' | 'temperature' | 'stream_options'

/** A model and where it is. */
export interface ModelAddress {
  base_url: string
  model: string
  key: string | undefined
  refused_parameters: RefusableParameter[]
}

/** The model of an account. */
export interface LanguageModel {
  base_url: string
  model: string
  requests_per_hour: number
  tokens_per_month: number
  /** Whether private notes may be sent to it. */
  reads_notes: boolean
}

/** The account's model if it is switched on. */
export function readLanguageModel(db: Db, account_id: string): Promise<LanguageModel | undefined> {
  return ofAccount(db, account_id)
    .selectFrom('language_models')
    .select(['base_url', 'model', 'requests_per_hour', 'tokens_per_month', 'reads_notes'])
    .where('is_enabled', '=', true)
    .executeTakeFirst()
}

/** Where the account's model is, with its key, whether it is switched on or not. */
export async function readModelAddress(db: Db, keys: Keyring, account_id: string): Promise<ModelAddress | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('language_models')
    .select(['base_url', 'model', 'api_key', 'refused_parameters'])
    .executeTakeFirst()
  if (!row) return undefined
  const { api_key, refused_parameters, ...rest } = row
  const key = api_key ? decryptIfPossible(keys, contextIn(modelKeys, account_id, account_id), api_key) : undefined
  return { ...rest, key, refused_parameters: refused_parameters as RefusableParameter[] }
}

/** Whether the team can write with a model, for everybody in it. */
export async function describeModel(db: Db, account_id: string): Promise<LanguageModelState> {
  const model = await readLanguageModel(db, account_id)
  return { object: 'language_model', is_enabled: !!model, model: model?.model ?? null }
}

/** Remembers what a model has refused, unless it was replaced meanwhile. */
export async function rememberRefused(db: Db, account_id: string, address: ModelAddress): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('language_models')
    .set({ refused_parameters: address.refused_parameters })
    .where('base_url', '=', address.base_url)
    .where('model', '=', address.model)
    .execute()
}
