import type { Installation, WidgetSettingsChanges, WidgetSettingsRow } from '#contract/widget/widget-settings.ts'
import { widgetSettingsUpdated } from '#contract/widget/widget-settings.ts'
import { NotFound } from '../../../errors.ts'
import { type Change, type Db, type FieldChanges, fieldChanges, hasChanges } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

const columns = [
  'id',
  'account_id',
  'inbox_id',
  'created_at',
  'updated_at',
  'color',
  'name',
  'logo',
  'title',
  'subtitle',
  'greeting',
  'away_message',
  'new_message_placeholder',
  'email_input_placeholder',
  'new_messages_notification_text',
  'quick_reply_options',
  'language',
  'show_agent_availability',
  'agent_available_text',
  'agent_unavailable_text',
  'is_hide_voice',
  'is_hide_attachments',
  'require_email_upfront',
  'require_name_upfront',
  'require_phone_upfront',
  'use_company_profile_only',
  'is_open_by_default',
  'is_branding_hidden',
  'offers_articles',
  'icon_variant',
  'custom_icon_url',
  'iframe_url_override',
  'base_url',
] as const satisfies Exclude<keyof WidgetSettingsRow, 'object'>[]

type StoredSettings = { [Column in (typeof columns)[number]]: WidgetSettingsRow[Column] }

/** The widget settings of an inbox, or undefined if the account has no such inbox. */
export async function findWidgetSettings(
  db: Db,
  account_id: string,
  inbox_id: string,
): Promise<WidgetSettingsRow | undefined> {
  const row = await ofAccount(db, account_id)
    .selectFrom('widget_settings')
    .select(columns)
    .where('inbox_id', '=', inbox_id)
    .executeTakeFirst()
  return row && { ...(row as StoredSettings), object: 'widget_settings' }
}

export async function listWidgetSettings(db: Db, account_id: string): Promise<WidgetSettingsRow[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('widget_settings')
    .select(columns)
    .orderBy('created_at')
    .execute()
  return (rows as StoredSettings[]).map((row) => ({ ...row, object: 'widget_settings' }))
}

/**
 * Changes the widget settings of an inbox and announces them. Fields left out stay.
 * @returns the changed fields
 */
export async function updateWidgetSettings(
  { db, announce }: Change,
  account_id: string,
  inbox_id: string,
  wanted: WidgetSettingsChanges,
): Promise<FieldChanges> {
  const own = ofAccount(db, account_id)
  const before = await own
    .selectFrom('widget_settings')
    .select(columns)
    .where('inbox_id', '=', inbox_id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw new NotFound()
  const changes = fieldChanges(before, wanted)
  if (!hasChanges(changes)) return changes
  const row = await own
    .updateTable('widget_settings')
    .set({ ...wanted, updated_at: new Date().toISOString() })
    .where('inbox_id', '=', inbox_id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  announce(account_id, widgetSettingsUpdated, {
    widget_settings: { ...(row as StoredSettings), object: 'widget_settings' },
  })
  return changes
}

/** Where the widget of an inbox was last opened. */
export async function findInstallation(db: Db, account_id: string, inbox_id: string): Promise<Installation> {
  const row = await ofAccount(db, account_id)
    .selectFrom('widget_settings')
    .select(['inbox_id', 'host', 'pathname', 'last_seen_at'])
    .where('inbox_id', '=', inbox_id)
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}

interface Sighting {
  host?: string | null
  pathname?: string | null
  last_seen_at?: string | null
}

/** For a known page, the time is updated at most this often. */
const SIGHTING_MS = 3_600_000

/**
 * Records the page on which the widget was last shown. Other keys sent by clients are ignored. All visitors of a
 * website update the same row, so a page recorded recently is not written again: visitors would wait for each other.
 */
export async function recordWidgetSeen(
  { db }: Change,
  account_id: string,
  inbox_id: string,
  { host, pathname, last_seen_at }: Sighting,
): Promise<void> {
  const now = new Date()
  // With a clock that runs ahead, later visits would never be recorded.
  const seenAt = last_seen_at && Date.parse(last_seen_at) < now.getTime() ? last_seen_at : now.toISOString()
  await ofAccount(db, account_id)
    .updateTable('widget_settings')
    .set({ host, pathname, last_seen_at: seenAt })
    .where('inbox_id', '=', inbox_id)
    .where((eb) =>
      eb.or([
        eb('last_seen_at', 'is', null),
        eb('last_seen_at', '<', new Date(now.getTime() - SIGHTING_MS).toISOString()),
        eb('host', 'is distinct from', host ?? null),
        eb('pathname', 'is distinct from', pathname ?? null),
      ]),
    )
    .execute()
}
