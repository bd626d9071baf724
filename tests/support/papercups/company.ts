import { deriveId } from '#server/platform/secrets.ts'
import { insertInto, papercupsHash } from './database.ts'

export const id = (name: string) => deriveId(`papercups ${name}`)
export const ACME = id('acme')
export const OTHER = id('other')
export const KEY_OF_ADA = 'SFMyNTY.g2gDYQJuBgD5ZXAfeAFiAAFRgA.uVY0W7i9S3bQ1cK2x8yqv0m5n4b6c7d8e9f0a1b2c3d4'

/** A company with a day of use, and what Papercups' databases hold beside it. */
export async function fill(client: Parameters<typeof insertInto>[0]) {
  const insert = insertInto(client)
  await insert(
    'accounts',
    {
      id: ACME,
      company_name: 'Acme',
      time_zone: 'Europe/Paris',
      subscription_plan: 'enterprise',
      settings: { id: id('settings'), conversation_reminders_enabled: true, max_num_conversation_reminders: null },
      working_hours: [
        '{"id":"x","day":"weekdays","start_minute":540,"end_minute":1440}',
        '{"id":"y","day":"sometimes","start_minute":1,"end_minute":2}',
        '{"id":"z","day":"sunday","start_minute":null,"end_minute":2}',
      ],
    },
    { id: OTHER, company_name: '  ' },
  )
  await insert(
    'users',
    { id: 7, account_id: ACME, email: 'ada@acme.test', role: 'admin', password_hash: papercupsHash('correct horse') },
    { id: 9, account_id: ACME, email: 'Ada@Acme.test', role: 'admin', password_hash: papercupsHash('other') },
    { id: 12, account_id: ACME, email: ' Ben@acme.test ', role: 'user', password_hash: null },
    { id: 13, account_id: id('nowhere'), email: 'lost@nowhere.test', role: 'user' },
    { id: 20, account_id: OTHER, email: 'olga@other.test', role: 'admin', password_hash: papercupsHash('olgas word') },
  )
  await insert('user_profiles', {
    id: id('profile'),
    user_id: 7,
    full_name: 'Ada Lovelace',
    display_name: ' ',
    profile_photo_url: 'javascript:x',
  })
  await insert('user_settings', {
    id: id('setting'),
    user_id: 12,
    email_alert_on_new_message: true,
    email_alert_on_new_conversation: null,
  })
  await insert(
    'inboxes',
    { id: id('second'), account_id: ACME, name: 'Second', is_primary: true, inserted_at: '2022-02-02 00:00:00' },
    { id: id('first'), account_id: ACME, name: 'First', is_primary: true, inserted_at: '2022-01-01 00:00:00' },
  )
  await insert(
    'widget_settings',
    { id: id('old widget'), account_id: ACME, inbox_id: null, color: '#111111', updated_at: '2022-01-01 00:00:00' },
    {
      id: id('widget'),
      account_id: ACME,
      inbox_id: null,
      color: '#123456',
      is_open_by_default: null,
      icon_variant: 'odd',
      updated_at: '2022-02-01 00:00:00',
    },
  )
  await insert('companies', { id: id('company'), account_id: ACME, name: null, metadata: 'a text' })
  await insert(
    'customers',
    {
      id: id('carla'),
      account_id: ACME,
      name: 'Carla',
      email: 'carla@mail.test',
      external_id: 'user 1',
      company_id: id('company'),
      last_seen_at: '2022-03-02 08:00:00',
      metadata: { plan: 'gold' },
      first_seen: '2022-03-01',
      updated_at: '2022-03-05 00:00:00',
    },
    {
      id: id('twin'),
      account_id: ACME,
      name: 'null',
      email: 'twin@mail.test',
      external_id: ' user 1',
      last_seen: '2021-03-02',
      first_seen: '2021-03-01',
      updated_at: '2022-03-04 00:00:00',
    },
    { id: id('olgas'), account_id: OTHER, name: 'Foreign', first_seen: '2022-01-01' },
  )
  await insert(
    'conversations',
    {
      id: id('chat'),
      account_id: ACME,
      customer_id: id('carla'),
      inbox_id: null,
      assignee_id: 7,
      status: 'open',
      priority: 'urgent',
      source: null,
      read: true,
      subject: 'Lamp',
      first_replied_at: '2022-03-01 10:00:01',
      metadata: null,
      updated_at: '2022-03-01 12:00:00',
    },
    {
      id: id('closed'),
      account_id: ACME,
      customer_id: id('olgas'),
      inbox_id: id('second'),
      assignee_id: 20,
      status: null,
      closed_at: '2022-03-02 00:00:00',
      source: 'telex',
      read: false,
      archived_at: '2022-03-20 00:00:00',
    },
    { id: id('empty'), account_id: ACME, customer_id: null, status: 'open', source: 'chat', read: false },
  )
  const m = (name: string, row: Record<string, string | number | boolean | null | object>) => ({
    id: id(name),
    account_id: ACME,
    conversation_id: id('chat'),
    source: 'chat',
    type: 'reply',
    ...row,
  })
  await insert(
    'messages',
    m('m1', {
      body: 'Is the lamp in stock?',
      customer_id: id('carla'),
      private: null,
      inserted_at: '2022-03-01 10:00:00',
    }),
    m('m2', {
      body: 'A private thought',
      user_id: 7,
      type: 'note',
      private: false,
      inserted_at: '2022-03-01 10:00:01',
    }),
    m('m3', {
      body: 'It is.',
      user_id: 7,
      private: false,
      seen_at: '2022-03-01 10:05:00',
      inserted_at: '2022-03-01 10:00:02',
    }),
    m('m4', {
      body: 'Great',
      customer_id: id('carla'),
      user_id: 7,
      private: false,
      inserted_at: '2022-03-01 10:00:02',
    }),
    m('m5', {
      body: 'Spoofed',
      customer_id: id('olgas'),
      private: false,
      metadata: [1],
      inserted_at: '2022-03-01 10:00:03',
    }),
    m('m6', {
      body: null,
      customer_id: id('carla'),
      private: false,
      type: 'odd',
      content_type: null,
      metadata: { ses_html: '<p>Hi</p>' },
      inserted_at: '2022-03-01 10:00:04',
    }),
    m('m7', {
      body: Array.from({ length: 90_000 }, (_, n) => `word${n}`).join(' '),
      customer_id: id('carla'),
      private: false,
      inserted_at: '2022-03-01 10:00:05',
    }),
    m('elsewhere', {
      conversation_id: id('closed'),
      account_id: OTHER,
      body: 'Wrong account',
      customer_id: id('twin'),
      private: false,
    }),
    m('orphan', { conversation_id: id('gone'), body: 'Nobody will miss me', customer_id: id('carla') }),
    m('loose', { conversation_id: null, body: 'Nor me' }),
  )
  await insert(
    'mentions',
    { id: id('mention'), message_id: id('m2'), user_id: 12, account_id: null },
    { id: id('mention 2'), message_id: id('m2'), user_id: 12, seen_at: null },
    { id: id('mention 3'), message_id: id('m2'), user_id: 20 },
  )
  await insert(
    'files',
    {
      id: id('file'),
      account_id: ACME,
      filename: 'old/lamp.txt',
      unique_filename: '0123456789abcdef0123456789abcdef-old-lamp.txt',
      file_url: 'https://bucket.s3.amazonaws.com/0123456789abcdef0123456789abcdef-old-lamp.txt',
      content_type: 'text/html',
      customer_id: id('carla'),
    },
    {
      id: id('lost file'),
      account_id: ACME,
      filename: 'lost.png',
      unique_filename: 'ffff-lost.png',
      file_url: 'https://bucket.s3.amazonaws.com/ffff-lost.png',
      content_type: 'image/png',
    },
  )
  await insert(
    'message_files',
    { id: id('link'), message_id: id('m1'), file_id: id('file') },
    { id: id('link 2'), message_id: id('m1'), file_id: id('lost file') },
    { id: id('link 3'), message_id: id('m7'), file_id: id('lost file') },
  )
  await insert(
    'tags',
    { id: id('tag'), account_id: ACME, name: 'vip' },
    { id: id('tag twin'), account_id: null, creator_id: 7, name: 'vip' },
  )
  await insert(
    'conversation_tags',
    { id: id('ct'), conversation_id: id('chat'), tag_id: id('tag twin') },
    { id: id('ct 2'), conversation_id: id('chat'), tag_id: id('tag') },
  )
  await insert('customer_tags', { id: id('cut'), customer_id: id('carla'), tag_id: id('tag') })
  await insert(
    'notes',
    { id: id('note'), account_id: ACME, customer_id: id('carla'), author_id: 7, body: 'Likes lamps' },
    { id: id('note 2'), account_id: ACME, customer_id: id('olgas'), author_id: 7, body: 'Foreign' },
  )
  await insert('issues', {
    id: id('issue'),
    account_id: null,
    creator_id: 7,
    assignee_id: 20,
    title: 'Flicker',
    state: 'odd',
  })
  await insert('customer_issues', { id: id('ci'), customer_id: id('carla'), issue_id: id('issue') })
  await insert(
    'canned_responses',
    { id: id('reply'), account_id: ACME, name: 'hello', content: 'Hello!' },
    { id: id('reply 2'), account_id: ACME, name: '/hello', content: 'Hi!' },
  )
  await insert('personal_api_keys', { id: id('key'), account_id: OTHER, user_id: 7, label: null, value: KEY_OF_ADA })
  await insert('event_subscriptions', {
    id: id('hook'),
    account_id: ACME,
    webhook_url: 'https://hooks.acme.test/x',
    verified: true,
    scope: 'message:created customer:updated nonsense',
  })
  await insert('lambdas', {
    id: id('lambda'),
    account_id: ACME,
    name: 'Greeter',
    code: 'exports.handler = () => 1',
    status: 'active',
    creator_id: 7,
  })
  await client.query(`insert into slack_authorizations values ('${id('slack')}', 'xoxb-secret')`)
}
