import type { Language, UserSettings, UserSettingsChanges } from '#contract/user-settings.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'

const columns = [
  'id',
  'user_id',
  'email_alert_on_new_message',
  'email_alert_on_new_conversation',
  'expo_push_token',
  'notify_about',
  'notification_sound',
  'email_alert_on_mention',
  'language',
  'label_language',
  'mail_signature',
] as const

/** How a user wants to be told of news. The first read creates the row, with the defaults; later ones write nothing. */
export async function readUserSettings(change: Change, account_id: string, user_id: number): Promise<UserSettings> {
  const row = await change.db
    .selectFrom('user_settings')
    .select(columns)
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row ? present(row) : saveUserSettings(change, account_id, user_id, {})
}

/** How a user wants to be told of news, after the given changes. */
export async function saveUserSettings(
  { db }: Change,
  account_id: string,
  user_id: number,
  changes: UserSettingsChanges,
): Promise<UserSettings> {
  const row = await db
    .insertInto('user_settings')
    .values({ account_id, user_id, id: newId(), ...changes })
    .onConflict((taken) =>
      taken.columns(['account_id', 'user_id']).doUpdateSet({ ...changes, updated_at: new Date().toISOString() }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
  return present(row)
}

function present(row: object): UserSettings {
  return { ...row, object: 'user_settings' } as UserSettings
}

/** In which language to write to a user. */
export async function languageOf(db: Db, account_id: string, user_id: number): Promise<Language> {
  return (await findChosenLanguage(db, account_id, user_id)) ?? 'en'
}

/** The language that a user has chosen, if any: the dashboard follows their browser until they do. */
export async function findChosenLanguage(db: Db, account_id: string, user_id: number): Promise<Language | null> {
  const row = await db
    .selectFrom('user_settings')
    .select('language')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.language ?? null
}
