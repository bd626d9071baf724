import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { Id, IntegerInput, Text } from '../wire.ts'

/** Messages that are translated with one call. */
export const TRANSLATIONS_AT_ONCE = 20
/** Messages whose translations are on one page. */
export const TRANSLATIONS_PAGE = 100

/** A message in another language than its own, for the team only. */
export const MessageTranslation = z.object({
  object: z.literal('message_translation'),
  message_id: z.string(),
  number: z.int32().check(z.describe('Position of the message in the conversation.')),
  language: z.string().check(z.describe('Such as `en`.')),
  body: z.string(),
  is_original: z
    .boolean()
    .check(z.describe('Whether the author wrote it, and the message that was sent is its translation.')),
  missing: z.array(z.string()).check(z.describe('Numbers of the message that the translation lacks.')),
})
export type MessageTranslation = z.output<typeof MessageTranslation>

const Language = Text(35).check(z.regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, 'is invalid'))

/** The events of the stream of a translation, by name, with their data. */
export interface TranslationEvents {
  /** A message is translated, or was before. */
  translation: MessageTranslation
  /** A message could not be translated, with the reason as a sentence. */
  skipped: { message_id: string; message: string }
  /** All messages were seen to. */
  done: Record<string, never>
  /** Why it ended before, as a sentence. */
  failed: { message: string }
}

/** Messages of a conversation were translated into a language. */
export const messagesTranslated = defineEvent('messages:translated', {
  receivers: 'team',
  payload: {
    translated: z.object({
      conversation_id: z.string(),
      language: z.string().check(z.describe('Into which language, such as `en`.')),
    }),
  },
})

/** Calls about the translations of a conversation's messages. Customers never see them. */
export const translations = {
  list: endpoint('user', 'GET', '/api/conversations/:id/translations', {
    summary:
      'Lists the translations of a conversation’s messages, and what authors wrote before their messages were translated; those of the newest messages first.',
    query: z.object({
      before: z
        .optional(IntegerInput)
        .check(z.describe('Only those of messages with a smaller number: the next page.')),
    }),
    answer: z.object({
      data: z.array(MessageTranslation),
      next: z.nullable(z.int32()).check(z.describe('What to send as `before` for the next page.')),
    }),
  }),
  create: endpoint('user', 'POST', '/api/conversations/:id/translations', {
    session_only: true,
    media_type: 'text/event-stream',
    summary:
      'Has the language model translate messages of a conversation for the team, as server-sent events: `translation` with each, `skipped` with a sentence where one cannot be translated, then `done`, or `failed` with a sentence. What was translated before costs nothing. The customer sees nothing of it.',
    body: z.object({
      message_ids: z
        .array(Id)
        .check(z.minLength(1), z.maxLength(TRANSLATIONS_AT_ONCE), z.describe('Public messages of the conversation.')),
      language: Language.check(z.describe('Into which language, such as `en`.')),
    }),
    answer: z.any(),
  }),
}
