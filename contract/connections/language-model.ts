import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, FilledText, IntegerBetween, ifAny, maybe, Text } from '../wire.ts'

/** What a model is asked for. */
export const MODEL_PURPOSES = ['draft', 'rewrite', 'summary', 'translation', 'answer'] as const
export const ModelPurpose = z.enum(MODEL_PURPOSES)
export type ModelPurpose = z.output<typeof ModelPurpose>

/** The bounds of an account that has set no others. */
export const MODEL_BOUNDS = { tokens_per_month: 2_000_000, requests_per_hour: 20 } as const
const MOST_TOKENS = 1_000_000_000

/** Whether the team can write with a model. */
export const LanguageModelState = z.object({
  object: z.literal('language_model'),
  is_enabled: z.boolean().check(z.describe('Whether there is a model, and it is switched on.')),
  model: z.nullable(z.string()).check(z.describe('Its name, as its server calls it.')),
})
export type LanguageModelState = z.output<typeof LanguageModelState>

/** The model of an account, and how much it may be used. The key is never returned. */
export const LanguageModelSettings = z.object({
  object: z.literal('language_model_settings'),
  base_url: z
    .nullable(z.string())
    .check(z.describe('The address of its server, with `/v1`; null if none was entered.')),
  model: z.nullable(z.string()).check(z.describe('Its name, as its server calls it.')),
  has_key: z.boolean().check(z.describe('Whether a key is stored.')),
  is_enabled: z.boolean().check(z.describe('Whether the team can use it.')),
  tokens_per_month: z.int32().check(z.describe('The most tokens that the account uses in a calendar month (UTC).')),
  requests_per_hour: z.int32().check(z.describe('The most requests of one person in an hour.')),
  reads_notes: z.boolean().check(z.describe('Whether private notes are sent to the model with a conversation.')),
})
export type LanguageModelSettings = z.output<typeof LanguageModelSettings>

const WebAddress = z.url({ protocol: /^https?$/ })

/** The address of a server that speaks the chat completions API of OpenAI, without what people paste behind it. */
const BaseUrl = FilledText(500).check(
  z.overwrite((text) => text.replace(/[?#].*$/, '').replace(/(\/chat\/completions|\/models)?\/*$/, '')),
  z.refine((text) => z.safeParse(WebAddress, text).success, 'should begin with http:// or https://'),
)

const Key = maybe(Text(2000)).check(
  z.describe('Leave it out to keep the stored one; empty removes it. It is forgotten if the address changes.'),
)

const SettingsChanges = z.object({
  base_url: ifAny(BaseUrl).check(z.describe('The address of its server, with `/v1`.')),
  model: ifAny(FilledText(200)).check(z.describe('Its name, as its server calls it.')),
  key: Key,
  is_enabled: ifAny(BooleanInput).check(z.describe('Whether the team can use it.')),
  tokens_per_month: ifAny(IntegerBetween(0, MOST_TOKENS, 'should be from 0 to 1,000,000,000')).check(
    z.describe('The most tokens that the account uses in a calendar month (UTC).'),
  ),
  requests_per_hour: ifAny(IntegerBetween(1, 1000, 'should be from 1 to 1,000')).check(
    z.describe('The most requests of one person in an hour.'),
  ),
  reads_notes: ifAny(BooleanInput).check(
    z.describe('Whether private notes are sent to the model with a conversation.'),
  ),
})
export type LanguageModelChanges = z.output<typeof SettingsChanges>

const ModelSearch = z.object({
  base_url: BaseUrl.check(z.describe('The address of its server, with `/v1`.')),
  key: maybe(Text(2000)).check(z.describe('Leave it out to use the stored one, if it belongs to this address.')),
})
export type ModelSearch = z.output<typeof ModelSearch>

const Counts = {
  requests: z.int32().check(z.describe('How often the model was asked, failures included.')),
  tokens_in: z.int32().check(z.describe('Of what was sent to the model.')),
  tokens_out: z.int32().check(z.describe('Of what it has written.')),
}

/** How much the model was used in a month. */
export const LanguageModelUsage = z.object({
  object: z.literal('language_model_usage'),
  month: z.string().check(z.meta({ format: 'date' }), z.describe('Its first day.')),
  tokens: z.int32().check(z.describe('Sent and written, all together.')),
  tokens_per_month: z.int32().check(z.describe('The most of a month.')),
  people: z
    .array(
      z.object({ user_id: z.nullable(z.int32()).check(z.describe('Null for what nobody has pressed.')), ...Counts }),
    )
    .check(z.describe('By person, most tokens first.')),
  purposes: z.array(z.object({ purpose: ModelPurpose, ...Counts })).check(z.describe('By what was asked for.')),
})
export type LanguageModelUsage = z.output<typeof LanguageModelUsage>

/** Calls about the language model with which a team writes. */
export const languageModel = {
  get: endpoint('user', 'GET', '/api/language_model', {
    summary: 'Returns whether the team can write with a language model.',
    answer: data(LanguageModelState),
  }),
  settings: endpoint('admin', 'GET', '/api/language_model_settings', {
    session_only: true,
    summary: 'Returns the settings of the language model, without its key.',
    answer: data(LanguageModelSettings),
  }),
  change: endpoint('admin', 'PUT', '/api/language_model_settings', {
    session_only: true,
    summary:
      'Changes the settings of the language model. A new model, address or key is tried with a small request first, and is not saved if that fails.',
    body: SettingsChanges,
    answer: data(LanguageModelSettings),
  }),
  remove: endpoint('admin', 'DELETE', '/api/language_model_settings', {
    session_only: true,
    summary: 'Forgets the language model with its address and key.',
    answer: z.null(),
    status: 204,
  }),
  models: endpoint('admin', 'POST', '/api/language_model_settings/models', {
    session_only: true,
    summary: 'Asks a server for the names of its models. Not all servers can tell.',
    body: ModelSearch,
    answer: data(z.array(z.string())),
  }),
  usage: endpoint('admin', 'GET', '/api/language_model_usage', {
    session_only: true,
    summary: 'Returns how much the language model was used in this month, by person and by purpose.',
    answer: data(LanguageModelUsage),
  }),
}
