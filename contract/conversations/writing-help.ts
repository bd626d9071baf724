import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { BooleanInput, ifAny, maybe, Text } from '../wire.ts'
import { MESSAGE_BODY_LIMIT } from './messages.ts'

/** What a model can write for an agent: a draft of a reply, changes of the agent's own text, and a summary for a colleague. */
export const WRITING_TASKS = ['draft', 'shorten', 'make_friendlier', 'translate', 'summarize'] as const
export const WritingTask = z.enum(WRITING_TASKS)
export type WritingTask = z.output<typeof WritingTask>

/** Tasks that change the text in the composer. */
export const REWRITING: readonly WritingTask[] = ['shorten', 'make_friendlier', 'translate']

const WritingRequest = z.object({
  task: WritingTask.check(z.describe('What to write.')),
  text: maybe(Text(MESSAGE_BODY_LIMIT)).check(z.describe('The text to change, for tasks that change one.')),
  language: maybe(Text(35)).check(
    z.describe('Into which language to translate, such as `de`. The customer’s language by default.'),
  ),
  again: ifAny(BooleanInput).check(z.describe('Whether to write anew, even if the same was asked before.')),
})
export type WritingRequest = z.output<typeof WritingRequest>

/** What a draft is made from: an article, or a saved reply. */
export const WritingSource = z.object({
  number: z.int(),
  kind: z.enum(['article', 'saved_reply']),
  name: z.string(),
  url: z.nullable(z.string()),
})
export type WritingSource = z.output<typeof WritingSource>

/** A finished text. */
export const WrittenText = z.object({
  text: z.string().check(z.describe('Without the numbers of sources.')),
  sentences: z
    .array(z.object({ text: z.string(), sources: z.array(z.int()) }))
    .check(z.describe('Of a draft: each sentence with the numbers of its sources; none if it names no source.')),
  sources: z.array(WritingSource),
  removed: z
    .array(z.string())
    .check(z.describe('Links, mail addresses and prices that were in no source, and were replaced by “[…]”.')),
  missing: z
    .array(z.string())
    .check(z.describe('Of a translation: links, addresses, codes and numbers of the text that it lacks.')),
  is_cut: z.boolean().check(z.describe('Whether it ends because it became too long.')),
})
export type WrittenText = z.output<typeof WrittenText>

/** The events of the stream, by name, with their data. */
export interface WritingEvents {
  /** The next piece of the text. */
  text: { text: string }
  /** The whole text, which replaces the pieces. */
  done: WrittenText
  /** Why it ended without a text, as a sentence. */
  failed: { message: string }
}

/** Calls with which agents write by a language model. Nothing is sent to a customer. */
export const writingHelp = {
  write: endpoint('user', 'POST', '/api/conversations/:id/writing_help', {
    session_only: true,
    media_type: 'text/event-stream',
    summary:
      'Has the language model write for an agent, as server-sent events: `text` with each piece, then `done` with the whole text and its sources, or `failed` with a sentence. Nothing is sent to the customer.',
    body: WritingRequest,
    answer: z.any(),
  }),
}
