import { createHash } from 'node:crypto'
import type { ModelPurpose } from '#contract/connections/language-model.ts'
import {
  REWRITING,
  type WritingRequest,
  type WritingTask,
  type WrittenText,
} from '#contract/conversations/writing-help.ts'
import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { languageOf } from '../../accounts/users/user-settings.ts'
import type { ModelMessage } from '../../connections/language-model/ask.ts'
import { complete } from '../../connections/language-model/complete.ts'
import {
  lengthWithoutBrokenMark,
  type Marked,
  markParts,
  putBack,
  restoreParts,
} from '../../connections/language-model/kept-parts.ts'
import { readLanguageModel } from '../../connections/language-model/model.ts'
import { ModelRefused, NO_MODEL } from '../../connections/language-model/model-refused.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { readSentences, removeUnfounded } from './checking.ts'
import { type Material, promptFor } from './prompts.ts'
import { readSources } from './sources.ts'
import { findWritten, storeWritten } from './stored.ts'
import { readThread } from './thread.ts'

/** Together with the instructions about 3,000 tokens, which small models take. */
const MATERIAL = 8_000
/** The longest text that is rewritten. */
const LONGEST_TEXT = 6_000
/** What is left of the conversation where another text is the matter. */
const BESIDE_TEXT = 1_500

const PURPOSES: Record<WritingTask, ModelPurpose> = {
  draft: 'draft',
  shorten: 'rewrite',
  make_friendlier: 'rewrite',
  translate: 'translation',
  summarize: 'summary',
}

/** A text that is to be written: everything that the model is given. */
export interface PlannedText {
  request: WritingRequest
  conversation_id: string
  material: Material
  /** The text to translate, whose links and codes the model is not given. */
  marked: Marked
  messages: ModelMessage[]
  max_tokens: number
  /** Equal for the same request about the same conversation with the same sources and model. */
  hash: Buffer
}

/**
 * Collects what a model is given for a task.
 * @throws NotFound, Invalid, ModelRefused where no model is switched on
 */
export async function planText(
  context: Context,
  { account_id, user_id }: User,
  conversation_id: string,
  request: WritingRequest,
): Promise<PlannedText> {
  const { db } = context
  const { task, language } = request
  await getConversationRow(db, account_id, conversation_id)
  const model = await readLanguageModel(db, account_id)
  if (!model) throw new ModelRefused(NO_MODEL)
  const isRewriting = REWRITING.includes(task)
  const text = isRewriting ? (request.text?.trim() ?? '') : ''
  if (isRewriting && !text)
    throw new Invalid({ text: ["can't be blank"] }, 'Write something first, which is then changed.')
  if (text.length > LONGEST_TEXT)
    throw new Invalid(
      { text: ['is too long'] },
      `The model changes texts of up to ${LONGEST_TEXT} characters. Select a part of yours.`,
    )
  if (language && !isLanguage(language)) throw new Invalid({ language: ['is invalid'] })
  const sources = task === 'draft' ? await readSources(context, account_id, conversation_id) : []
  const taken = sources.reduce((sum, source) => sum + source.name.length + source.text.length, text.length)
  const characters = isRewriting ? BESIDE_TEXT : Math.max(0, MATERIAL - taken)
  const thread = await readThread(db, account_id, conversation_id, { notes: model.reads_notes, characters })
  const material = { thread, sources, text }
  const marked = task === 'translate' ? markParts(text) : { text, parts: new Map() }
  const team = await languageOf(db, account_id, user_id)
  const identity = [task, language ?? null, material, model.base_url, model.model, task === 'summarize' && team]
  return {
    request,
    conversation_id,
    material,
    marked,
    messages: promptFor(request, { ...material, text: marked.text }, team),
    max_tokens: isRewriting ? Math.ceil(text.length / 2) + 200 : 500,
    hash: createHash('sha256').update(JSON.stringify(identity)).digest(),
  }
}

/**
 * Streams what the model writes, and returns the finished text: without what no source has, and with the sources of each
 * sentence. The same request about an unchanged conversation gets the text of the first time.
 * @throws ModelRefused
 */
export async function* writeText(
  context: Context,
  { account_id, user_id }: User,
  planned: PlannedText,
  signal: AbortSignal,
): AsyncGenerator<string, WrittenText> {
  const { request, conversation_id, messages, max_tokens, hash } = planned
  const stored = request.again ? undefined : await findWritten(context.db, account_id, conversation_id, hash)
  if (stored) return stored
  const purpose = PURPOSES[request.task]
  const asked = { account_id, user_id, purpose, conversation_id, messages, max_tokens, signal }
  const pieces = complete(context, asked)
  let text = ''
  let shown = 0
  let step = await pieces.next()
  while (!step.done) {
    text += step.value
    const length = lengthWithoutBrokenMark(text)
    if (length > shown) yield putBack(text.slice(shown, length), planned.marked.parts)
    shown = Math.max(shown, length)
    step = await pieces.next()
  }
  const written = finish(text, planned, step.value.is_cut)
  if (!signal.aborted) await context.change((tx) => storeWritten(tx, account_id, conversation_id, hash, written))
  return written
}

function finish(said: string, { request, material, marked }: PlannedText, is_cut: boolean): WrittenText {
  const { thread, text, sources } = material
  const pieces = sources.map((source) => `${source.name}\n${source.text}\n${source.url ?? ''}`)
  const { text: restored, lostParts, lostNumbers } = restoreParts(marked, said.trim())
  const missing = request.task === 'translate' ? [...lostParts, ...lostNumbers] : []
  const { text: founded, removed } = removeUnfounded(restored, [thread, text, ...pieces].join('\n'))
  const isDraft = request.task === 'draft'
  const { text: finished, sentences } = isDraft
    ? readSentences(founded, sources.length)
    : { text: founded, sentences: [] }
  const named = sources.map(({ text: _, ...source }) => source)
  return { text: finished, sentences, sources: named, removed, missing, is_cut }
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
