import type { MessageTranslation, TranslationEvents, translations } from '#contract/conversations/translations.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { plainText } from '#contract/text/plain.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { complete } from '../../connections/language-model/complete.ts'
import { type Marked, markParts, restoreParts } from '../../connections/language-model/kept-parts.ts'
import { readLanguageModel } from '../../connections/language-model/model.ts'
import { ModelRefused, NO_MODEL } from '../../connections/language-model/model-refused.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { type MessageRow, selectMessages } from '../messages/messages.ts'
import { findTranslations, storeTranslation } from '../messages/translations.ts'
import { promptFor } from './prompt.ts'

/** Together with the instructions about 2,000 tokens, and as many again in the answer. */
const CHARACTERS_AT_ONCE = 6_000
/** Of one message. A model does not finish more within the time that it has. */
const LONGEST_MESSAGE = 12_000

type Skipped = TranslationEvents['skipped']

/** What is to be translated: what is known already, and what a model is asked for. */
export interface PlannedTranslation {
  conversation_id: string
  language: string
  stored: MessageTranslation[]
  wanted: MessageRow[]
}

/** A message with the text that a model is given. */
interface Wanted {
  message: MessageRow
  marked: Marked
}

/**
 * Finds what is to be translated. Notes are not: they are the team's own.
 * @throws NotFound if a message is no public one of this conversation, ModelRefused where no model is switched on
 */
export async function planTranslation(
  { db }: Context,
  { account_id }: User,
  conversation_id: string,
  { message_ids, language }: BodyInput<typeof translations.create>,
): Promise<PlannedTranslation> {
  await getConversationRow(db, account_id, conversation_id)
  const messages = await selectMessages(db, account_id)
    .where('conversation_id', '=', conversation_id)
    .where('id', 'in', message_ids)
    .where('private', '=', false)
    .orderBy('number')
    .execute()
  if (messages.length < new Set(message_ids).size) throw new NotFound()
  const stored = await findTranslations(db, account_id, message_ids, language)
  if (!(await readLanguageModel(db, account_id))) throw new ModelRefused(NO_MODEL)
  const isKnown = new Set(stored.map(({ message_id }) => message_id))
  return { conversation_id, language, stored, wanted: messages.filter(({ id }) => !isKnown.has(id)) }
}

/**
 * Translates messages, and keeps the translations for everybody. Links, addresses, codes and secrets are not given to the model;
 * a translation that lacks one, or has another one, is refused.
 * @throws ModelRefused
 */
export async function* translateMessages(
  context: Context,
  caller: User,
  { conversation_id, language, stored, wanted }: PlannedTranslation,
  signal: AbortSignal,
): AsyncGenerator<MessageTranslation | Skipped> {
  yield* stored
  const texts = wanted.map((message) => ({ message, text: plainText(message).trim() }))
  yield* texts.flatMap(({ message, text }) => obstacleTo(message, text))
  for (const batch of inBatches(texts.filter(({ text }) => text !== '' && text.length <= LONGEST_MESSAGE))) {
    if (signal.aborted) return
    yield* translateBatch(context, caller, { conversation_id, language, batch }, signal)
  }
}

function obstacleTo({ id: message_id }: MessageRow, text: string): Skipped[] {
  if (text === '') return [{ message_id, message: 'This message has no text.' }]
  if (text.length <= LONGEST_MESSAGE) return []
  return [{ message_id, message: `The model translates messages of up to ${LONGEST_MESSAGE} characters.` }]
}

/** As many messages as fit into one request. Their marks are numbered through, so that a model cannot mistake them. */
function inBatches(texts: { message: MessageRow; text: string }[]): Wanted[][] {
  const batches: Wanted[][] = []
  let length = Number.POSITIVE_INFINITY
  let first = 1
  for (const { message, text } of texts) {
    if (length + text.length > CHARACTERS_AT_ONCE) {
      batches.push([])
      length = 0
      first = 1
    }
    const marked = markParts(text, first)
    batches.at(-1)!.push({ message, marked })
    length += text.length
    first += marked.parts.size
  }
  return batches
}

interface Batch {
  conversation_id: string
  language: string
  batch: Wanted[]
}

async function* translateBatch(
  context: Context,
  { account_id, user_id }: User,
  { conversation_id, language, batch }: Batch,
  signal: AbortSignal,
): AsyncGenerator<MessageTranslation | Skipped> {
  const { messages, reader } = promptFor(
    batch.map(({ marked }) => marked.text),
    language,
  )
  const characters = batch.reduce((sum, { marked }) => sum + marked.text.length, 0)
  const max_tokens = Math.ceil(characters / 2) + 60 * batch.length + 200
  const asked = { account_id, user_id, purpose: 'translation' as const, conversation_id, messages, max_tokens, signal }
  const remaining = new Set(batch)
  const keep = (index: number, said: string) => {
    const wanted = batch[index]
    if (!wanted || !remaining.delete(wanted)) return []
    return finish(context, wanted, said, language)
  }
  const pieces = complete(context, asked)
  let step = await pieces.next()
  while (!step.done) {
    for (const { index, text } of reader.read(step.value)) yield* await keep(index, text)
    step = await pieces.next()
  }
  if (signal.aborted) return
  const plain = step.value.is_cut ? undefined : reader.readWithoutMarks()
  if (plain) yield* await keep(0, plain)
  for (const { message } of remaining) yield { message_id: message.id, message: step.value.is_cut ? CUT : LEFT_OUT }
}

/** Checks a translation and keeps it, or says why not. */
async function finish(
  context: Context,
  { message, marked }: Wanted,
  said: string,
  language: string,
): Promise<(MessageTranslation | Skipped)[]> {
  const { id: message_id, number } = message
  const { text: body, lostParts, lostNumbers: missing, added } = restoreParts(marked, said)
  if (body === '') return [{ message_id, message: LEFT_OUT }]
  const changed = [...lostParts, ...added]
  if (changed.length > 0) return [{ message_id, message: CHANGED(changed) }]
  const isCurrent = await context.change((tx) => storeTranslation(tx, message, { language, body, missing }))
  if (!isCurrent) return [{ message_id, message: 'This message was changed while it was translated. Try again.' }]
  return [{ object: 'message_translation', message_id, number, language, body, is_original: false, missing }]
}

const LEFT_OUT = 'The model has left this message out. Try again, or choose another model.'
const CUT = 'The model’s answer became too long before it came to this message. Try again.'
const CHANGED = (parts: string[]) =>
  `The model has changed a link or code (${parts.slice(0, 3).join(', ')}), so its translation is not shown. Try again.`
