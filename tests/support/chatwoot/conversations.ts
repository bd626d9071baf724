import { createHash } from 'node:crypto'
import type pg from 'pg'
import { signedId, UUIDS } from './company.ts'
import { insertInto } from './database.ts'

type Row = Record<string, string | number | boolean | null | object>

/** The whole text of a file of the old server. */
export const LAMP = 'the lamp, in words'
/** A picture inside a mail, also text. */
export const PICTURE = 'a picture, in words'
/** A picture of a person: one pixel. */
export const FACE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const md5 = (text: string | Buffer) => createHash('md5').update(text).digest('base64')
/** Rails has encoded many objects twice. */
const twice = (value: object) => JSON.stringify(JSON.stringify(value))

/** Contacts, with what real installations hold. */
export async function fillContacts(client: pg.Client) {
  const insert = insertInto(client)
  await insert(
    'contacts',
    {
      ...{ id: 1, account_id: 1, name: 'Carla', last_name: 'Curie', email: ' Carla@Mail.test ', identifier: 'user 1' },
      custom_attributes: { plan: 'gold', chatwoot: 'mine' },
      additional_attributes: { city: 'Ulm', created_at_ip: '203.0.113.7' },
      last_activity_at: '2023-03-02 08:00:00',
    },
    { id: 2, account_id: 1, name: 'Twin', email: null, identifier: ' user 1', last_activity_at: '2023-03-01 08:00:00' },
    { id: 3, account_id: 1, name: 'quiet-river-417', email: '', phone_number: 'undefined' },
    { id: 4, account_id: 1, name: 'brave-lion-12' },
    { id: 5, account_id: 1, name: 'Mia', email: 'mia@mail.test', custom_attributes: [1, 2] as unknown as object },
    { id: 6, account_id: 4, name: 'Foreign', email: 'foreign@mail.test' },
    { id: 7, account_id: 1, name: 'Claims', email: 'claims@mail.test', phone_number: '+4915550', blocked: true },
    { id: 8, account_id: 1, name: 'null', phone_number: '+4915550' },
  )
  await insert(
    'contact_inboxes',
    { id: 1, contact_id: 1, inbox_id: 2, source_id: 's1', hmac_verified: true },
    { id: 3, contact_id: 3, inbox_id: 2, source_id: 's3' },
    { id: 5, contact_id: 5, inbox_id: 1, source_id: 'mia@mail.test' },
    { id: 7, contact_id: 7, inbox_id: 2, source_id: 's7' },
  )
}

/** Conversations in every state. */
export async function fillConversations(client: pg.Client) {
  const insert = insertInto(client)
  await insert('teams', { id: 1, account_id: 1, name: 'billing' }, { id: 2, account_id: 1, name: ' ' })
  // One member, one who works for another company, and one who does not exist.
  await insert(
    'team_members',
    { team_id: 1, user_id: 7 },
    { team_id: 1, user_id: 12 },
    { team_id: 1, user_id: 555 },
    { team_id: 99, user_id: 7 },
  )
  const conversation = (id: number, row: Row): Row => ({
    ...{ id, account_id: 1, inbox_id: 2, display_id: id + 100, uuid: UUIDS[id]!, contact_id: 1 },
    ...row,
  })
  await insert(
    'conversations',
    conversation(1, {
      ...{
        assignee_id: 7,
        team_id: 1,
        custom_attributes: { order: 5 },
        contact_inbox_id: 1,
        updated_at: '2023-03-01 12:00:00',
      },
      additional_attributes: {
        browser: { browser_name: 'Firefox', platform_name: 'Linux' },
        referer: 'https://acme.test/lamps?x=1',
      },
      ...{ agent_last_seen_at: '2023-03-01 10:00:05', contact_last_seen_at: '2023-03-01 10:30:00', priority: 3 },
    }),
    conversation(2, {
      status: 1,
      contact_id: 999,
      contact_inbox_id: 3,
      assignee_id: 12,
      updated_at: '2023-03-05 00:00:00',
    }),
    conversation(3, {
      inbox_id: 1,
      status: 1,
      contact_id: 5,
      additional_attributes: { mail_subject: 'The lamp', source: 'email' },
    }),
    conversation(4, { status: 3, snoozed_until: '2099-01-01 00:00:00', contact_id: 7 }),
    conversation(5, { status: 3, snoozed_until: '2023-03-02 00:00:00', inbox_id: 3 }),
    conversation(6, { status: 2, inbox_id: 77, contact_id: null }),
    conversation(7, { status: 9, inbox_id: 4 }),
    conversation(20, { account_id: 4, inbox_id: 20, contact_id: 6 }),
  )
  await insert(
    'reporting_events',
    { name: 'conversation_resolved', account_id: 1, conversation_id: 2, event_end_time: '2023-03-01 11:00:00' },
    { name: 'conversation_resolved', account_id: 1, conversation_id: 2, event_end_time: '2023-03-03 11:00:00' },
    { name: 'first_response', account_id: 1, conversation_id: 2, event_end_time: '2023-03-04 11:00:00' },
  )
}

/** The chat of conversation 1, and what stands beside it in other ones. */
export async function fillMessages(client: pg.Client) {
  const insert = insertInto(client)
  const carla = { message_type: 0, sender_type: 'Contact', sender_id: 1 }
  const ada = { message_type: 1, sender_type: 'User', sender_id: 7 }
  const message = (id: number, second: string, row: Row): Row => ({
    ...{ id, account_id: 1, inbox_id: 2, conversation_id: 1, created_at: `2023-03-01 10:00:${second}` },
    ...row,
  })
  await insert(
    'messages',
    message(118, '00.1', { ...carla, content: 'Is the lamp in stock?' }),
    message(102, '01', {
      ...{ ...ada, private: true },
      content: 'Ask [@Ben Old](mention://user/9/Ben%20Old) or [@Team](mention://team/1/Team)',
    }),
    message(103, '02', { ...ada, content: 'It is.\\\nTruly.', status: 2 }),
    message(104, '03', { message_type: 2, content: 'Conversation was marked resolved by Ada' }),
    message(105, '04', { message_type: 3, content: 'Leave your e-mail' }),
    message(106, '05', { ...carla, content: 'This message was deleted', content_attributes: twice({ deleted: true }) }),
    message(107, '06', {
      ...{ ...carla, content: null },
      content_attributes: JSON.stringify('{"in_reply_to":103,"translations":{"de":"a\\u0000b"}}'),
    }),
    message(108, '07', { ...ada, sender_id: 99, content: 'From somebody gone' }),
    message(109, '08', { message_type: 1, sender_type: 'AgentBot', sender_id: 1, content: 'Beep' }),
    message(110, '09', { message_type: 1, content: 'By a rule', content_attributes: { automation_rule_id: 3 } }),
    message(111, '10', { ...carla, content: Array.from({ length: 90_000 }, (_, n) => `word${n}`).join(' ') }),
    message(112, '11', { message_type: 1, content: 'Author deleted', status: 3, content_attributes: '"null"' }),
    message(113, '12', {
      ...{ message_type: 3, content: 'Choose', content_type: 4 },
      content_attributes: {
        items: [{ title: 'Red', value: 'r' }],
        submitted_values: [{ title: 'Colour', value: 'Red' }],
      },
    }),
    message(114, '13', { ...carla, content: '', content_attributes: { is_unsupported: true } }),
    message(115, '14', { message_type: 9, content: 'Unknown kind' }),
    message(116, '15', { ...carla, private: true, content: 'Secret of a program' }),
    message(117, '16', { ...carla, sender_id: 3, content: 'Another contact' }),
    message(119, '17', { ...carla, content: null }),
    message(120, '18', {
      message_type: 1,
      sender_type: 'User',
      sender_id: 12,
      content: 'From Left',
      conversation_id: 2,
    }),
    message(121, '19', { ...ada, content: 'In the other company', conversation_id: 20, account_id: 4 }),
    message(190, '20', { ...carla, conversation_id: 999, content: 'Nobody will miss me' }),
  )
  await insert('mentions', { user_id: 9, conversation_id: 1, account_id: 1, mentioned_at: '2023-03-01 10:00:01' })
  await insert('mentions', { user_id: 7, conversation_id: 1, account_id: 1, mentioned_at: '2023-03-01 10:00:01' })
  await insert('notifications', {
    ...{ account_id: 1, user_id: 9, notification_type: 4, primary_actor_type: 'Conversation', primary_actor_id: 1 },
    read_at: null,
  })
  await insert('conversation_participants', { account_id: 1, user_id: 9, conversation_id: 1 })
  const attachment = (id: number, message_id: number, row: Row): Row => ({ id, account_id: 1, message_id, ...row })
  await insert(
    'attachments',
    attachment(1, 118, { file_type: 3 }),
    attachment(2, 119, { file_type: 4, fallback_title: 'Ulm', coordinates_lat: 48.4, coordinates_long: 10 }),
    attachment(3, 119, { file_type: 5, external_url: 'https://acme.test/x', fallback_title: 'Link' }),
    attachment(4, 118, { file_type: 0 }),
    attachment(5, 106, { file_type: 0, external_url: 'https://acme.test/y' }),
    attachment(6, 118, { file_type: 3 }),
    attachment(7, 103, { file_type: 2 }),
  )
  const blob = (id: number, text: string | Buffer, row: Row): Row => ({
    ...{
      id,
      key: `ab${id}defghij`,
      filename: `file ${id}.txt`,
      byte_size: text.length,
      checksum: md5(text),
      service_name: 'local',
    },
    ...row,
  })
  const mailed = { created_at: '2023-03-01 10:01:00' }
  await insert(
    'active_storage_blobs',
    blob(1, LAMP, { filename: 'old/lamp.txt' }),
    blob(2, 'lost', {}),
    blob(300, PICTURE, { filename: 'logo.png', ...mailed }),
    blob(301, 'private', mailed),
    blob(5, 'huge', { filename: 'film.mp4' }),
    blob(302, FACE, { filename: 'ben.png' }),
    blob(303, FACE, { filename: 'carla.png' }),
    blob(304, FACE, { filename: 'website.png' }),
  )
  await insert(
    'active_storage_attachments',
    { name: 'file', record_type: 'Attachment', record_id: 1, blob_id: 1 },
    { name: 'file', record_type: 'Attachment', record_id: 6, blob_id: 2 },
    { name: 'file', record_type: 'Attachment', record_id: 7, blob_id: 5 },
    { name: 'avatar', record_type: 'User', record_id: 7, blob_id: 301 },
    { name: 'avatar', record_type: 'User', record_id: 9, blob_id: 302 },
    { name: 'avatar', record_type: 'Contact', record_id: 1, blob_id: 303 },
    { name: 'avatar', record_type: 'Inbox', record_id: 2, blob_id: 304 },
  )
}

/** The mails of conversation 3. */
export async function fillMails(client: pg.Client) {
  const picture = (blob: number) =>
    `<img src="https://old.acme.test/rails/active_storage/blobs/redirect/${signedId(blob)}/logo.png">`
  const full = `<p>Where is it?</p>${picture(300)}${picture(301)}${picture(1)}`
  const mail = {
    ...{
      from: ['Mia@mail.test'],
      to: ['help@acme.test'],
      cc: 'Max <max@mail.test>, kim@mail.test',
      subject: 'The lamp',
    },
    ...{ message_id: 'first@mail.test', references: ['older@mail.test'], auto_reply: false },
    ...{ html_content: { full, reply: 'Where is it?' }, text_content: {} },
  }
  const row = { account_id: 1, inbox_id: 1, conversation_id: 3 }
  const mia = { message_type: 0, sender_type: 'Contact', sender_id: 5, content_type: 8 }
  const ada = { message_type: 1, sender_type: 'User', sender_id: 7 }
  await insertInto(client)(
    'messages',
    {
      ...row,
      ...mia,
      id: 201,
      content: 'Where is it?',
      content_attributes: twice({ email: mail }),
      created_at: '2023-03-01 10:01:30',
    },
    { ...row, ...ada, id: 202, content: 'On its way', created_at: '2023-03-01 10:02:00' },
    {
      ...row,
      ...mia,
      id: 203,
      content: '<html><body><p>Thank <b>you</b></p></body></html>',
      created_at: '2023-03-01 10:03:00',
    },
    {
      ...{ ...row, ...ada, id: 204, content: 'Welcome', source_id: 'conversation/x/messages/204@old.acme.test' },
      ...{ content_attributes: { cc_emails: ['Max@mail.test'] }, created_at: '2023-03-01 10:04:00' },
    },
  )
}

/** Labels, notes, ratings and what the team has set up. */
export async function fillRecords(client: pg.Client) {
  const insert = insertInto(client)
  await insert('labels', { id: 1, account_id: 1, title: 'VIP', color: '#ff0000' })
  await insert('tags', { id: 1, name: 'vip' }, { id: 2, name: 'forgotten' })
  const tagging = (tag_id: number, taggable_type: string, taggable_id: number): Row => ({
    ...{ tag_id, taggable_type, taggable_id, context: 'labels' },
  })
  await insert(
    'taggings',
    tagging(1, 'Conversation', 1),
    tagging(2, 'Conversation', 1),
    tagging(1, 'Contact', 1),
    tagging(1, 'Conversation', 999),
    tagging(2, 'Conversation', 20),
  )
  await insert(
    'notes',
    { id: 1, account_id: 1, contact_id: 1, user_id: 7, content: 'Likes lamps' },
    { id: 2, account_id: 1, contact_id: 1, user_id: null, content: 'By somebody' },
    { id: 3, account_id: 1, contact_id: 999, user_id: 7, content: 'Orphan' },
  )
  const rating = (message_id: number, rating: number, row: Row): Row => ({
    ...{ account_id: 1, conversation_id: 2, message_id, contact_id: 3, rating, assigned_agent_id: 12 },
    ...row,
  })
  await insert(
    'csat_survey_responses',
    rating(1, 2, { created_at: '2023-03-04 00:00:00' }),
    rating(2, 5, { created_at: '2023-03-06 00:00:00', feedback_message: 'Good' }),
    rating(3, 7, {}),
  )
  await insert(
    'canned_responses',
    { id: 1, account_id: 1, short_code: 'hello', content: 'Hello {{contact.name}}' },
    { id: 2, account_id: 1, short_code: '/hello', content: 'Hi' },
  )
  await insert(
    'webhooks',
    { id: 1, account_id: 1, url: 'https://hooks.acme.test/x', subscriptions: ['message_created', 'contact_updated'] },
    { id: 2, account_id: 1, url: 'https://hooks.acme.test/y', subscriptions: ['webwidget_triggered'] },
  )
  await insert('automation_rules', { account_id: 1, name: 'Rule', event_name: 'message_created' })
}
