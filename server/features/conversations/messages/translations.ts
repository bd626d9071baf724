import { sql } from 'kysely'
import { type MessageTranslation, messagesTranslated, TRANSLATIONS_PAGE } from '#contract/conversations/translations.ts'
import { limitCombiningMarks } from '#contract/text/combining-marks.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { languageOf } from '../../accounts/users/user-settings.ts'
import { recognizeLanguage } from '../languages/recognize.ts'
import type { MessageRow } from './messages.ts'

/** What a model has made of a message. */
export type NewTranslation = Pick<MessageTranslation, 'language' | 'body' | 'missing'>

/** The translations of messages, each with the number of its message. */
function selectTranslations(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('message_translations')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.account_id', '=', 'message_translations.account_id')
        .onRef('messages.id', '=', 'message_translations.message_id'),
    )
    .select([
      'message_translations.message_id',
      'messages.number',
      'message_translations.language',
      'message_translations.body',
      'message_translations.is_original',
      'message_translations.missing',
    ])
}

type TranslationRow = Omit<MessageTranslation, 'object'>

const presentMessageTranslation = (row: TranslationRow): MessageTranslation => ({
  object: 'message_translation',
  ...row,
})

/** One page of the translations of a conversation, those of the newest messages first. All of a message are on one page. */
export async function listTranslations(
  db: Db,
  account_id: string,
  conversation_id: string,
  before: number | undefined,
): Promise<{ data: MessageTranslation[]; next: number | null }> {
  const page = sql<number>`(select m.number from messages m
    where m.account_id = ${account_id} and m.conversation_id = ${conversation_id}
      and (${before ?? null}::integer is null or m.number < ${before ?? null})
      and exists (select from message_translations t where t.account_id = m.account_id and t.message_id = m.id)
    order by m.number desc limit ${sql.lit(TRANSLATIONS_PAGE + 1)})`
  const { rows } = await sql<{ number: number }>`${page}`.execute(db)
  const oldest = rows.slice(0, TRANSLATIONS_PAGE).at(-1)
  if (!oldest) return { data: [], next: null }
  const data = await selectTranslations(db, account_id)
    .where('messages.conversation_id', '=', conversation_id)
    .where('messages.number', '>=', oldest.number)
    .$if(before !== undefined, (query) => query.where('messages.number', '<', before!))
    .orderBy('messages.number', 'desc')
    .orderBy('message_translations.language')
    .execute()
  return { data: data.map(presentMessageTranslation), next: rows.length > TRANSLATIONS_PAGE ? oldest.number : null }
}

/** All translations of a conversation's messages, oldest message first. */
export async function listAllTranslations(
  db: Db,
  account_id: string,
  conversation_id: string,
): Promise<MessageTranslation[]> {
  const rows = await selectTranslations(db, account_id)
    .where('messages.conversation_id', '=', conversation_id)
    .orderBy('messages.number')
    .orderBy('message_translations.language')
    .execute()
  return rows.map(presentMessageTranslation)
}

/** The translations of some messages into one language. */
export async function findTranslations(
  db: Db,
  account_id: string,
  message_ids: string[],
  language: string,
): Promise<MessageTranslation[]> {
  if (message_ids.length === 0) return []
  const rows = await selectTranslations(db, account_id)
    .where('message_translations.message_id', 'in', message_ids)
    .where('message_translations.language', '=', language)
    .execute()
  return rows.map(presentMessageTranslation)
}

/**
 * Keeps what a model made of a message, unless the message was changed or deleted since it was given to the model, or somebody
 * else was quicker.
 * @returns whether it is still a translation of the message
 */
export async function storeTranslation(
  change: Change,
  message: Pick<MessageRow, 'account_id' | 'id' | 'conversation_id' | 'body'>,
  { language, body, missing }: NewTranslation,
): Promise<boolean> {
  const { account_id, id: message_id, conversation_id } = message
  // Locked, so that an edit either waits, or is seen.
  const current = await ofAccount(change.db, account_id)
    .selectFrom('messages')
    .select('body')
    .where('id', '=', message_id)
    .forShare()
    .executeTakeFirst()
  if (current?.body !== message.body) return false
  await change.db
    .insertInto('message_translations')
    .values({ account_id, message_id, language, body, missing })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  change.announce(account_id, messagesTranslated, { translated: { conversation_id, language } })
  return true
}

/** Keeps what the author wrote before the message was translated, for colleagues who read that language. */
export async function storeOriginal(
  change: Change,
  { account_id, id: message_id, conversation_id, body }: MessageRow,
  user_id: number,
  original: string,
): Promise<void> {
  if (!original.trim() || original === body) return
  const language = recognizeLanguage(original) ?? (await languageOf(change.db, account_id, user_id))
  await change.db
    .insertInto('message_translations')
    .values({ account_id, message_id, language, body: limitCombiningMarks(original), is_original: true })
    .execute()
  change.announce(account_id, messagesTranslated, { translated: { conversation_id, language } })
}

/** The translations of a message whose text has changed say something else than it. */
export async function deleteTranslations({ db }: Pick<Change, 'db'>, { account_id, id }: MessageRow): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('message_translations').where('message_id', '=', id).execute()
}
