import type { UserSettings, UserSettingsChanges } from '#contract/accounts/user-settings.ts'
import { Invalid } from '../../../errors.ts'
import { chooseServerLanguage, DASHBOARD_LANGUAGES } from '../../../languages.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'

const columns = [
  'id',
  'user_id',
  'email_alert_on_new_message',
  'email_alert_on_new_conversation',
  'expo_push_token',
  'notify_about',
  'notification_sound',
  'email_alert_on_mention',
  'email_alert_on_deadline',
  'language',
  'label_language',
  'read_languages',
  'mail_signature',
  'undo_seconds',
] as const

/** A user's settings. The first read creates the row with defaults; later ones write nothing. */
export async function readUserSettings(change: Change, account_id: string, user_id: number): Promise<UserSettings> {
  const row = await ofAccount(change.db, account_id)
    .selectFrom('user_settings')
    .select(columns)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row ? presentUserSettings(row) : saveUserSettings(change, account_id, user_id, {})
}

/**
 * Changes a user's settings and returns them.
 * @throws Invalid: the dashboard has no texts in a language
 */
export async function saveUserSettings(
  { db }: Change,
  account_id: string,
  user_id: number,
  changes: UserSettingsChanges,
): Promise<UserSettings> {
  assertLanguage('language', changes.language)
  assertLanguage('label_language', changes.label_language)
  const row = await db
    .insertInto('user_settings')
    .values({ account_id, user_id, id: newId(), ...changes })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'user_id']).doUpdateSet({ ...changes, updated_at: new Date().toISOString() }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
  return presentUserSettings(row)
}

function assertLanguage(field: string, language: string | null | undefined) {
  if (language && !DASHBOARD_LANGUAGES.includes(language))
    throw new Invalid({ [field]: [`should be one of ${DASHBOARD_LANGUAGES.join(', ')}`] })
}

function presentUserSettings(row: object): UserSettings {
  return { ...row, object: 'user_settings' } as UserSettings
}

/** The language of mails to a user. */
export async function languageOf(db: Db, account_id: string, user_id: number): Promise<string> {
  return chooseServerLanguage([await findChosenLanguage(db, account_id, user_id)])
}

/** The language that a user has chosen, if any: until then the dashboard follows their browser. */
export async function findChosenLanguage(db: Db, account_id: string, user_id: number): Promise<string | null> {
  const row = await ofAccount(db, account_id)
    .selectFrom('user_settings')
    .select('language')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.language ?? null
}
