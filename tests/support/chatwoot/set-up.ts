import type pg from 'pg'
import { insertInto } from './database.ts'

type Row = Record<string, string | number | boolean | null | object>

const act = (action_name: string, ...action_params: (string | number)[]) => ({ action_name, action_params })

/** A condition, joined with the next one by `and` or `or`. */
function when(attribute_key: string, filter_operator: string, values: (string | number)[], more: Row = {}): Row {
  return { attribute_key, filter_operator, values, query_operator: null, ...more }
}
const and = { query_operator: 'and' }
const or = { query_operator: 'or' }

/** Macros, saved filters and rules: such as have an equal in Parley, and such as have none. */
export async function fillSetUp(client: pg.Client) {
  const insert = insertInto(client)
  const macro = (id: number, name: string, row: Row): Row => ({ id, account_id: 1, name, created_by_id: 9, ...row })
  await insert(
    'macros',
    macro(1, 'Close', {
      visibility: 1,
      actions: [
        act('assign_team', 1),
        act('assign_agent', 7),
        act('add_label', 'VIP', 'forgotten'),
        act('change_priority', 'urgent'),
        act('send_message', 'Hello {{contact.name}}'),
        act('resolve_conversation'),
      ],
    }),
    macro(2, 'Mine', { actions: [act('add_private_note', 'Look'), act('snooze_conversation')] }),
    macro(3, 'Loud', { visibility: 1, actions: [act('mute_conversation')] }),
    macro(4, 'Of somebody who left', { created_by_id: 12, actions: [act('open_conversation')] }),
    macro(5, 'To me', { actions: [act('assign_agent', 'self')] }),
    macro(6, 'MINE', { actions: [act('open_conversation')] }),
  )
  const filter = (id: number, name: string, payload: Row[], row: Row = {}): Row => {
    return { id, account_id: 1, user_id: 9, name, filter_type: 0, query: { payload }, ...row }
  }
  await insert(
    'custom_filters',
    filter(1, 'Urgent and mine', [
      when('status', 'equal_to', ['open', 'snoozed'], and),
      when('assignee_id', 'equal_to', [7], or),
      when('priority', 'equal_to', ['urgent']),
    ]),
    filter(2, 'Gold orders', [
      when('plan', 'equal_to', ['gold'], { ...and, custom_attribute_type: 'contact_attribute' }),
      when('created_at', 'days_before', [3]),
    ]),
    filter(3, 'Of a country', [when('country_code', 'equal_to', ['de'])]),
    filter(4, 'Contacts', [when('email', 'contains', ['mail.test'])], { filter_type: 1 }),
    filter(5, 'Pending', [when('status', 'equal_to', ['pending'])]),
    filter(6, 'Of somebody who left', [when('status', 'equal_to', ['open'])], { user_id: 12 }),
  )
  const rule = (id: number, name: string, row: Row): Row => ({ id, account_id: 1, name, ...row })
  await insert(
    'automation_rules',
    rule(11, 'Refunds', {
      event_name: 'message_created',
      conditions: [
        when('message_type', 'equal_to', ['incoming'], and),
        when('content', 'contains', ['refund', 'money']),
      ],
      actions: [act('add_label', 'vip'), act('send_message', 'We look into it.')],
    }),
    rule(12, 'Reopened', {
      event_name: 'conversation_opened',
      conditions: [when('inbox_id', 'equal_to', [2])],
      actions: [act('assign_team', 1)],
    }),
    rule(13, 'Greets', {
      event_name: 'conversation_created',
      conditions: [],
      actions: [act('send_message', 'Hello {{contact.name}}')],
    }),
    rule(14, 'Tells a program', {
      event_name: 'conversation_created',
      conditions: [],
      actions: [act('send_webhook_event', 'https://hooks.acme.test/z')],
    }),
  )
}

/** A help center in two languages, one that was archived, and what does not fit. */
export async function fillHelpCenter(client: pg.Client) {
  const insert = insertInto(client)
  await insert(
    'portals',
    { id: 1, account_id: 1, name: 'Acme Help', slug: 'acme', color: '#0A7755', config: { default_locale: 'en' } },
    { id: 2, account_id: 1, name: 'Old Help', slug: 'old', archived: true },
  )
  const category = (id: number, row: Row): Row => ({ id, account_id: 1, portal_id: 1, position: id, ...row })
  await insert(
    'categories',
    category(1, { name: 'Orders', slug: 'orders', icon: '📦', description: 'Buying and paying' }),
    category(2, { name: 'Pedidos', slug: 'pedidos', locale: 'pt_BR', associated_category_id: 1 }),
  )
  const article = (id: number, title: string, row: Row): Row => {
    return { ...{ id, account_id: 1, portal_id: 1, title, slug: `1700-${id}`, status: 1, position: id }, ...row }
  }
  await insert(
    'articles',
    article(1, 'How to pay', {
      ...{ category_id: 1, author_id: 7, description: 'With any card' },
      content: '# Paying\n\nBy **card**.',
    }),
    article(2, 'Como pagar', { category_id: 2, locale: 'pt_BR', associated_article_id: 1, content: 'Com cartão.' }),
    article(3, 'Not yet', { status: 0, content: 'A draft with ![a picture](/rails/active_storage/blobs/x/y.png)' }),
    article(4, 'No longer', { status: 2, content: 'Old' }),
    article(5, 'Of the old help', { portal_id: 2, content: 'Not public any more' }),
    article(6, 'Endless', { content: 'x'.repeat(200_001) }),
  )
}
