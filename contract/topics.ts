import type { Who } from './endpoint.ts'

interface Topic {
  /** Who may join, before the topic's own rule about accounts and customers. */
  who: Who
  says: string
  /** What a member may push. */
  hears: readonly string[]
}

/** Every socket topic. Tests walk the list with every kind of stranger, as they do with endpoints. */
export const TOPICS = {
  'room:{account_id}': { who: 'anyone', says: 'Which agents are online.', hears: [] },
  'conversation:lobby': { who: 'anyone', says: 'Silent; old clients join it.', hears: [] },
  'conversation:lobby:{customer_id}': {
    who: 'anyone',
    says: 'Tells a visitor without a conversation that one was started for them.',
    hears: [],
  },
  'conversation:{conversation_id}': {
    who: 'anyone',
    says: "The customer's side of one conversation.",
    hears: ['ping', 'shout', 'messages:seen', 'typing'],
  },
  'notification:{account_id}': {
    who: 'user',
    says: 'Everything that happens in an account, for its team.',
    hears: ['ping', 'read', 'shout', 'typing', 'viewing'],
  },
  'issue:lobby:{customer_id}': { who: 'user', says: 'Issues of one customer, for the team.', hears: [] },
} as const satisfies Record<string, Topic>

export type TopicPattern = keyof typeof TOPICS
