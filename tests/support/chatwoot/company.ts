import { createCipheriv, createHash, pbkdf2Sync } from 'node:crypto'
import { hashSync } from '@node-rs/bcrypt'
import type pg from 'pg'
import { insertInto } from './database.ts'

export const UUIDS = [1, 2, 3, 4, 5, 6, 7, 20].reduce<Record<number, string>>((uuids, n) => {
  uuids[n] = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  return uuids
}, {})

/** As Devise stored passwords, with fewer rounds, so that tests are fast. */
export const devise = (password: string) => hashSync(password, 4).replace(/^\$2.\$/, '$2a$')

/** Settings with which Rails encrypts. */
export const RAILS_KEYS = {
  ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY: 'primary key of the old server',
  ACTIVE_RECORD_ENCRYPTION_DETERMINISTIC_KEY: 'deterministic key of the old server',
  ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT: 'salt of the old server',
}

/** As Rails encrypts a column. */
export function encryptedByRails(text: string, digest: 'sha1' | 'sha256'): string {
  const { ACTIVE_RECORD_ENCRYPTION_DETERMINISTIC_KEY: key, ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT: salt } =
    RAILS_KEYS
  const iv = createHash('md5').update(text).digest().subarray(0, 12)
  const cipher = createCipheriv('aes-256-gcm', pbkdf2Sync(key, salt, 65_536, 32, digest), iv)
  const bytes = Buffer.concat([cipher.update(text), cipher.final()])
  const h = { iv: iv.toString('base64'), at: cipher.getAuthTag().toString('base64') }
  return JSON.stringify({ p: bytes.toString('base64'), h })
}

/** As Rails signs the number of a file. */
export function signedId(blob: number): string {
  const marshalled = Buffer.from([4, 8, 105, ...(blob < 123 ? [blob + 5] : [2, blob & 255, blob >> 8])])
  const named = { _rails: { message: marshalled.toString('base64'), exp: null, pur: 'blob_id' } }
  return `${Buffer.from(JSON.stringify(named)).toString('base64')}--0123456789abcdef0123456789abcdef01234567`
}

/** Accounts and people: a company, a suspended one, an abandoned one, and one that shares a person with the first. */
export async function fillPeople(client: pg.Client) {
  const insert = insertInto(client)
  await insert(
    'accounts',
    { id: 1, name: 'Acme', locale: 4, domain: 'old.acme.test' },
    { id: 2, name: 'Gone Ltd', status: 1 },
    { id: 3, name: 'Just looking' },
    { id: 4, name: '  ', locale: 0 },
  )
  const confirmed = { confirmed_at: '2023-01-02 00:00:00' }
  await insert(
    'users',
    {
      id: 7,
      name: 'Ada Lovelace',
      email: 'Ada@acme.test',
      encrypted_password: devise('Correct-horse-1'),
      ...confirmed,
    },
    {
      id: 9,
      name: 'Ben',
      display_name: 'Benny',
      email: 'ben@acme.test',
      encrypted_password: devise('Bens-word-1'),
      message_signature: 'Yours, Ben',
      ...confirmed,
    },
    { id: 12, name: 'Left Long Ago', email: 'left@acme.test', encrypted_password: devise('Left-word-1') },
    { id: 13, name: 'Olga', email: 'olga@other.test', encrypted_password: devise('Olgas-word-1'), ...confirmed },
    { id: 14, name: 'Without Address', email: null },
    { id: 15, name: 'Ada again', email: ' ADA@acme.test ', provider: 'google_oauth2', type: 'SuperAdmin' },
    { id: 16, name: 'Looker', email: 'looker@mail.test' },
    { id: 17, name: 'Of Gone', email: 'gone@gone.test' },
    { id: 18, name: 'Nobody', email: 'nobody@mail.test' },
  )
  await insert(
    'account_users',
    { account_id: 1, user_id: 7, role: 1 },
    { account_id: 1, user_id: 9, role: 0 },
    { account_id: 1, user_id: 14, role: 0 },
    { account_id: 1, user_id: 15, role: 0 },
    { account_id: 1, user_id: 98, role: 0 },
    { account_id: 2, user_id: 17, role: 1 },
    { account_id: 3, user_id: 16, role: 1 },
    { account_id: 4, user_id: 13, role: 2 },
    { account_id: 4, user_id: 7, role: 0, active_at: '2023-05-01 00:00:00' },
  )
  await insert('notification_settings', { account_id: 1, user_id: 9, email_flags: 1 + 16 })
}

/** Channels and inboxes. */
export async function fillInboxes(client: pg.Client) {
  const insert = insertInto(client)
  await insert('channel_web_widgets', {
    id: 1,
    account_id: 1,
    website_token: 'a'.repeat(24),
    hmac_token: 'the secret of the website',
    hmac_mandatory: true,
    widget_color: '#00aa55',
    welcome_title: 'Hello',
    feature_flags: 6,
    pre_chat_form_enabled: true,
    pre_chat_form_options: {
      pre_chat_fields: [
        { name: 'emailAddress', enabled: true, required: true },
        { name: 'fullName', enabled: true, required: false },
      ],
    },
  })
  await insert('channel_email', {
    id: 1,
    account_id: 1,
    email: 'Help@acme.test',
    forward_to_email: 'x@old.acme.test',
    imap_password: 'imap-secret',
  })
  await insert('channel_twilio_sms', {
    id: 1,
    account_id: 1,
    phone_number: 'whatsapp:+4912345',
    auth_token: 'twilio-secret',
    account_sid: 'AC1',
    medium: 1,
  })
  await insert('channel_facebook_pages', {
    id: 1,
    account_id: 1,
    page_id: '1',
    user_access_token: 'fb-secret',
    page_access_token: 'fb-secret',
  })
  const inbox = (id: number, channel_type: string, row: object) => ({
    id,
    account_id: 1,
    channel_id: 1,
    channel_type: `Channel::${channel_type}`,
    ...row,
  })
  await insert(
    'inboxes',
    inbox(1, 'Email', { name: 'Mail', working_hours_enabled: true, timezone: 'Asia/Tokyo' }),
    inbox(2, 'WebWidget', {
      name: 'Website',
      greeting_message: 'Not shown',
      working_hours_enabled: true,
      timezone: 'Europe/Berlin',
      out_of_office_message: 'We sleep',
    }),
    inbox(3, 'FacebookPage', { name: 'Facebook', working_hours_enabled: true, timezone: 'Europe/Berlin' }),
    inbox(4, 'TwilioSms', { name: 'WhatsApp' }),
    inbox(5, 'Carrier', { name: 'Pigeons' }),
    { ...inbox(20, 'Api', { name: 'Machines' }), account_id: 4 },
  )
  const definition = (attribute_key: string, attribute_display_type: number, row: object) => ({
    ...{ account_id: 1, attribute_key, attribute_display_type, attribute_model: 1, attribute_display_name: 'Plan' },
    ...row,
  })
  await insert(
    'custom_attribute_definitions',
    definition('plan', 6, { attribute_values: ['gold', 'Gold', 'silver', 7], attribute_description: 'What they pay' }),
    definition('plan', 0, { attribute_display_name: 'Plan again' }),
    definition('seats', 2, { attribute_display_name: ' ' }),
    definition('agreed', 7, { attribute_display_name: 'Agreed' }),
    definition('order', 1, { attribute_model: 0, attribute_display_name: 'Order' }),
    definition('', 0, { attribute_display_name: 'Without a key' }),
    definition('odd', 33, { attribute_display_name: 'Odd' }),
  )
  await insert('inbox_members', { user_id: 9, inbox_id: 1 }, { user_id: 9, inbox_id: 2 })
  const hours = (day_of_week: number, row: object) => ({
    inbox_id: 2,
    account_id: 1,
    day_of_week,
    open_hour: 9,
    open_minutes: 0,
    close_hour: 17,
    close_minutes: 0,
    ...row,
  })
  await insert(
    'working_hours',
    hours(0, { closed_all_day: true }),
    hours(1, {}),
    hours(2, { open_all_day: true }),
    hours(3, { close_hour: 8 }),
    hours(4, { open_hour: null }),
    { ...hours(5, { open_hour: 12 }), inbox_id: 3 },
  )
}
