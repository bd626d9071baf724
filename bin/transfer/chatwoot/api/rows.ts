import type { SourceRow } from '../../moving-in/row-files.ts'
import type { Json } from './client.ts'

/**
 * What the API answers, as rows of the database's tables: names of states become their numbers again, and seconds
 * become times. Only what the conversions read is kept.
 */

const STATUSES = ['open', 'resolved', 'pending', 'snoozed']
const PRIORITIES = ['low', 'medium', 'high', 'urgent']
const MESSAGE_STATUSES = ['sent', 'delivered', 'read', 'failed']
const CONTENT_TYPES = [
  ...['text', 'input_text', 'input_textarea', 'input_email', 'input_select', 'cards', 'form', 'article'],
  ...['incoming_email', 'input_csat', 'integrations', 'sticker', 'voice_call'],
]
const FILE_TYPES = [
  ...['image', 'audio', 'video', 'file', 'location', 'fallback', 'share', 'story_mention', 'contact', 'ig_reel'],
  ...['ig_post', 'ig_story', 'embed'],
]
/** Kinds of attachments whose address is that of a file; with the others it is a link to another website. */
const WITH_FILES = ['image', 'audio', 'video', 'file']
const ATTRIBUTE_TYPES = ['text', 'number', 'currency', 'percent', 'link', 'date', 'list', 'checkbox']
const SENDERS: Record<string, string> = {
  contact: 'Contact',
  user: 'User',
  agent_bot: 'AgentBot',
  captain_assistant: 'Captain::Assistant',
}
/** The bits of what a chat allows. */
const CHAT_FEATURES: Record<string, number> = { attachments: 1, emoji_picker: 2, end_conversation: 4 }
/** The numbers of languages that Parley speaks. */
const LOCALES: Record<string, number> = { en: 0, ar: 1, nl: 2, fr: 3, de: 4, es: 12, pt_BR: 16, vi: 21 }

const isFilled = (value: unknown): value is string | number => value !== null && value !== undefined && value !== ''

/** Seconds since 1970, or a time in words, as a time in UTC without a zone. The API writes 0 for none. */
function timeOf(said: unknown): string | null {
  if (!isFilled(said) || said === 0) return null
  const time = new Date(typeof said === 'number' ? said * 1_000 : said)
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, -1)
}

const times = (row: Json) => ({
  created_at: timeOf(row.created_at),
  updated_at: timeOf(row.updated_at) ?? timeOf(row.created_at),
})

/** The number of a name; a name that is not known is one that the conversions do not know either. */
function numberOf(names: string[], said: unknown): number | null {
  if (!isFilled(said)) return null
  return typeof said === 'number' ? said : names.indexOf(said)
}

export function accountRow({ id, name, locale, domain, ...row }: Json): SourceRow {
  return { id, name, locale: LOCALES[locale] ?? null, domain, status: 0, ...times(row) }
}

/** A member of the team. Passwords are not to be had. */
export function memberRows(account_id: number, agent: Json): { user: SourceRow; membership: SourceRow } {
  const { id, name, available_name, email, role, confirmed, custom_role_id } = agent
  // When somebody confirmed their address is not told, only whether they did.
  const confirmed_at = confirmed ? '2000-01-01T00:00:00' : null
  return {
    user: userRow({ id, name, available_name, email, confirmed_at }),
    membership: {
      id,
      account_id,
      user_id: id,
      role: role === 'administrator' ? 1 : 0,
      custom_role_id: custom_role_id ?? null,
    },
  }
}

/** Somebody of whom only the name is known, because they have left. */
export function userRow({ id, name, available_name, email, confirmed_at }: Json): SourceRow {
  const display_name = available_name === name ? null : (available_name ?? null)
  return { id, name, display_name, email: email ?? null, confirmed_at: confirmed_at ?? null }
}

export function inboxRow(account_id: number, inbox: Json): SourceRow {
  return {
    id: inbox.id,
    account_id,
    channel_id: inbox.channel_id ?? inbox.id,
    channel_type: inbox.channel_type,
    name: inbox.name,
    greeting_enabled: inbox.greeting_enabled,
    greeting_message: inbox.greeting_message,
    working_hours_enabled: inbox.working_hours_enabled,
    out_of_office_message: inbox.out_of_office_message,
    timezone: inbox.timezone,
  }
}

/** The row of an inbox's channel with its table; undefined for channels of which nothing is read. */
export function channelRow(account_id: number, inbox: Json): { table: string; row: SourceRow } | undefined {
  const row = { id: inbox.channel_id ?? inbox.id, account_id }
  const { phone_number } = inbox
  switch (inbox.channel_type) {
    case 'Channel::WebWidget':
      return { table: 'channel_web_widgets', row: { ...row, ...chatSettings(inbox) } }
    case 'Channel::Email':
      return { table: 'channel_email', row: { ...row, email: inbox.email, provider: inbox.provider } }
    case 'Channel::TwilioSms':
      return { table: 'channel_twilio_sms', row: { ...row, phone_number, medium: inbox.medium === 'whatsapp' ? 1 : 0 } }
    case 'Channel::Sms':
      return { table: 'channel_sms', row: { ...row, phone_number } }
    case 'Channel::Whatsapp':
      return { table: 'channel_whatsapp', row: { ...row, phone_number } }
  }
}

function chatSettings(inbox: Json): SourceRow {
  const features = Array.isArray(inbox.selected_feature_flags) ? (inbox.selected_feature_flags as string[]) : undefined
  return {
    hmac_token: inbox.hmac_token,
    hmac_mandatory: inbox.hmac_mandatory ?? false,
    widget_color: inbox.widget_color,
    welcome_title: inbox.welcome_title,
    welcome_tagline: inbox.welcome_tagline,
    feature_flags: features ? features.reduce((bits, name) => bits | (CHAT_FEATURES[name] ?? 0), 0) : 7,
    pre_chat_form_enabled: inbox.pre_chat_form_enabled ?? false,
    pre_chat_form_options: inbox.pre_chat_form_options ?? null,
  }
}

export function workingHoursRows(account_id: number, { id: inbox_id, working_hours }: Json): SourceRow[] {
  if (!Array.isArray(working_hours)) return []
  return working_hours.map((day) => ({
    id: inbox_id * 10 + day.day_of_week,
    inbox_id,
    account_id,
    day_of_week: day.day_of_week,
    closed_all_day: day.closed_all_day,
    open_all_day: day.open_all_day ?? false,
    open_hour: day.open_hour,
    open_minutes: day.open_minutes,
    close_hour: day.close_hour,
    close_minutes: day.close_minutes,
  }))
}

export function contactRow(account_id: number, contact: Json): SourceRow {
  const attributes = contact.additional_attributes ?? {}
  return {
    id: contact.id,
    account_id,
    name: contact.name,
    last_name: contact.last_name ?? null,
    email: contact.email,
    phone_number: contact.phone_number,
    identifier: contact.identifier,
    additional_attributes: attributes,
    custom_attributes: contact.custom_attributes ?? {},
    last_activity_at: timeOf(contact.last_activity_at),
    location: contact.location ?? null,
    country_code: contact.country_code ?? null,
    blocked: contact.blocked ?? false,
    created_at: timeOf(contact.created_at) ?? timeOf(contact.last_activity_at),
    updated_at: timeOf(contact.updated_at) ?? timeOf(contact.last_activity_at) ?? timeOf(contact.created_at),
  }
}

/** The API calls a conversation by the number that people know, which counts within the account. */
export function conversationRow(account_id: number, conversation: Json): SourceRow {
  const { id, meta = {} } = conversation
  return {
    id,
    account_id,
    display_id: id,
    uuid: conversation.uuid ?? null,
    inbox_id: conversation.inbox_id,
    status: numberOf(STATUSES, conversation.status),
    priority: numberOf(PRIORITIES, conversation.priority),
    assignee_id: meta.assignee?.id ?? null,
    contact_id: meta.sender?.id ?? null,
    team_id: meta.team?.id ?? null,
    additional_attributes: conversation.additional_attributes ?? {},
    custom_attributes: conversation.custom_attributes ?? {},
    contact_last_seen_at: timeOf(conversation.contact_last_seen_at),
    agent_last_seen_at: timeOf(conversation.agent_last_seen_at),
    last_activity_at: timeOf(conversation.last_activity_at ?? conversation.timestamp),
    snoozed_until: timeOf(conversation.snoozed_until),
    waiting_since: timeOf(conversation.waiting_since),
    created_at: timeOf(conversation.created_at),
    updated_at: timeOf(conversation.updated_at) ?? timeOf(conversation.last_activity_at ?? conversation.timestamp),
  }
}

export function messageRow(account_id: number, conversation_id: number, message: Json): SourceRow {
  const { sender } = message
  return {
    id: message.id,
    account_id,
    conversation_id,
    message_type: message.message_type,
    content: message.content,
    content_type: numberOf(CONTENT_TYPES, message.content_type) ?? 0,
    content_attributes: message.content_attributes ?? {},
    private: message.private ?? false,
    status: numberOf(MESSAGE_STATUSES, message.status) ?? 0,
    source_id: message.source_id ?? null,
    sender_type: senderOf(message),
    sender_id: sender?.id ?? null,
    additional_attributes: message.additional_attributes ?? {},
    ...times(message),
  }
}

/** Older versions do not say what a sender is; a customer's messages are the incoming ones. */
function senderOf({ sender, sender_type, message_type }: Json): string | null {
  if (!sender) return sender_type ?? null
  return SENDERS[sender.type] ?? sender_type ?? (message_type === 0 ? 'Contact' : 'User')
}

/** Whether a message was written by somebody of the team, now or before they left. */
export const isFromTeam = (message: Json): boolean => !!message.sender && senderOf(message) === 'User'

/**
 * The picture of a person; undefined if they have none. The API has no number of its file, so it gets one that no
 * attachment has.
 */
export function pictureRows(
  record_type: 'User' | 'Contact',
  { id, thumbnail, avatar_url }: Json,
): { blob: SourceRow; link: SourceRow } | undefined {
  const url = isFilled(thumbnail) ? thumbnail : avatar_url
  if (!isFilled(url)) return undefined
  const blob_id = -(2 * id + (record_type === 'User' ? 0 : 1))
  return {
    blob: { id: blob_id, url, filename: nameIn(String(url)), byte_size: 0, created_at: null },
    link: { name: 'avatar', record_type, record_id: id, blob_id },
  }
}

/** An attachment, and its file if it has one. */
export function attachmentRows(
  account_id: number,
  { id: message_id, created_at }: Json,
  attachment: Json,
): { row: SourceRow; blob: SourceRow | undefined } {
  const { id, file_type, data_url } = attachment
  const hasFile = WITH_FILES.includes(file_type) && isFilled(data_url)
  const time = timeOf(created_at)
  return {
    row: {
      id,
      account_id,
      message_id,
      file_type: numberOf(FILE_TYPES, file_type) ?? 3,
      external_url: hasFile ? null : (data_url ?? null),
      coordinates_lat: attachment.coordinates_lat ?? 0,
      coordinates_long: attachment.coordinates_long ?? 0,
      fallback_title: attachment.fallback_title ?? null,
      meta: attachment.meta ?? {},
      created_at: time,
      updated_at: time,
    },
    blob: hasFile
      ? {
          id,
          url: data_url,
          filename: nameIn(String(data_url)),
          byte_size: attachment.file_size ?? 0,
          created_at: time,
        }
      : undefined,
  }
}

/** The API gives no name; the address ends with it. */
function nameIn(address: string): string {
  const last = URL.parse(address)?.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

export function ratingRow(account_id: number, rating: Json): SourceRow {
  return {
    id: rating.id,
    account_id,
    conversation_id: rating.conversation_id,
    rating: rating.rating,
    feedback_message: rating.feedback_message,
    assigned_agent_id: rating.assigned_agent?.id ?? null,
    csat_review_notes: rating.csat_review_notes ?? null,
    ...times(rating),
  }
}

export function noteRow(account_id: number, contact_id: number, note: Json): SourceRow {
  return {
    id: note.id,
    account_id,
    contact_id,
    content: note.content,
    user_id: note.user?.id ?? null,
    ...times(note),
  }
}

export const labelRow = (account_id: number, { id, title, description, color }: Json): SourceRow => {
  return { id, account_id, title, description, color }
}

export const cannedResponseRow = (account_id: number, { id, short_code, content, ...row }: Json): SourceRow => {
  return { id, account_id, short_code, content, ...times(row) }
}

export const webhookRow = (account_id: number, { id, url, subscriptions }: Json): SourceRow => {
  return { id, account_id, url, subscriptions: subscriptions ?? [] }
}

export function macroRow(account_id: number, { id, name, visibility, created_by, actions, ...row }: Json): SourceRow {
  const created_by_id = created_by?.id ?? null
  return { id, account_id, name, visibility: visibility === 'global' ? 1 : 0, created_by_id, actions, ...times(row) }
}

export function automationRuleRow(account_id: number, rule: Json): SourceRow {
  const { id, name, event_name, conditions, actions, created_on } = rule
  const created_at = timeOf(created_on)
  return { id, account_id, name, event_name, conditions, actions, created_at, updated_at: created_at }
}

export function attributeRow(account_id: number, attribute_model: number, definition: Json): SourceRow {
  return {
    id: definition.id,
    account_id,
    attribute_model,
    attribute_key: definition.attribute_key,
    attribute_display_name: definition.attribute_display_name,
    attribute_display_type: numberOf(ATTRIBUTE_TYPES, definition.attribute_display_type),
    attribute_description: definition.attribute_description ?? null,
    attribute_values: definition.attribute_values ?? [],
    ...times(definition),
  }
}
