import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'

// Sample records and a storage for tests.

export const ME = 7

export function conversation(overrides: Partial<Conversation> = {}): Conversation {
  const id = overrides.id ?? 'c1'
  return {
    id,
    object: 'conversation',
    account_id: 'a1',
    customer_id: `customer of ${id}`,
    inbox_id: 'i1',
    assignee_id: null,
    team_id: null,
    source: 'chat',
    subject: null,
    status: 'open',
    priority: 'not_priority',
    read: true,
    metadata: null,
    created_at: '2026-11-20T08:00:00Z',
    updated_at: '2026-11-20T08:00:00Z',
    last_activity_at: '2026-11-20T08:00:00Z',
    closed_at: null,
    closed_by_id: null,
    archived_at: null,
    first_replied_at: null,
    merged_into: null,
    snoozed_at: null,
    snoozed_until: null,
    follow_up: null,
    reply_until: null,
    due_at: null,
    due_kind: null,
    due_started_at: null,
    last_number: 0,
    version: 1,
    unseen_mention_user_ids: [],
    unproven: null,
    customer: {
      id: `customer of ${id}`,
      object: 'customer',
      name: 'Carla',
      email: null,
      phone: null,
      external_id: null,
      profile_photo_url: null,
      company_id: null,
      host: null,
      pathname: null,
      current_url: null,
      browser: null,
      os: null,
      metadata: {},
      created_at: '2026-11-20T08:00:00Z',
      updated_at: '2026-11-20T08:00:00Z',
      title: 'Carla',
      nickname: 'Teal Otter',
      first_seen: '2026-11-20',
      last_seen_at: '2026-11-20T08:00:00Z',
      ip: null,
      time_zone: null,
      blocked_at: null,
      complained_at: null,
      field_sources: {},
      claimed_external_id: null,
      claimed_customer_id: null,
    },
    messages: [],
    tags: [],
    mentions: [],
    ...overrides,
  }
}

export function message(overrides: Partial<Message> = {}): Message {
  const number = overrides.number ?? 1
  return {
    id: `m${number}`,
    object: 'message',
    account_id: 'a1',
    conversation_id: 'c1',
    number,
    body: `Message ${number}`,
    type: 'reply',
    content_type: 'text',
    private: false,
    source: 'chat',
    created_at: '2026-11-20T09:00:00Z',
    sent_at: null,
    seen_at: null,
    customer_id: overrides.user_id ? null : 'customer of c1',
    user_id: null,
    metadata: null,
    template: null,
    email_subject: null,
    email_html: null,
    edited_at: null,
    user: null,
    attachments: [],
    ...overrides,
  }
}

/** An in-memory implementation of local storage. */
export function storage(): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    clear: () => values.clear(),
    getItem: (key) => values.get(key) ?? null,
    key: (at) => [...values.keys()][at] ?? null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => void values.set(key, value),
  }
}
