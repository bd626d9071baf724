import type { Who } from './endpoint.ts'

interface Topic {
  /** Who may join; the topic's own checks of accounts and customers come after that. */
  who: Who
  summary: string
  /** Events that a member may push. */
  accepts: readonly string[]
}

/** All socket topics. Tests try them as every kind of caller without rights, as they do with endpoints. */
export const TOPICS = {
  'room:{account_id}': { who: 'anyone', summary: 'Presence of the agents who are online.', accepts: [] },
  'conversation:lobby': { who: 'anyone', summary: 'Sends nothing; joined by old clients.', accepts: [] },
  'conversation:lobby:{customer_id}': {
    who: 'anyone',
    summary: 'Notifies a visitor without a conversation that one was started for them.',
    accepts: [],
  },
  'conversation:{conversation_id}': {
    who: 'anyone',
    summary: 'Events of one conversation, for its customer.',
    accepts: ['ping', 'shout', 'messages:seen', 'typing'],
  },
  'notification:{account_id}': {
    who: 'user',
    summary: 'All events of an account, for its team.',
    accepts: ['ping', 'present', 'read', 'shout', 'typing', 'viewing'],
  },
  'events:{account_id}:{session_id}': {
    who: 'anyone',
    summary:
      'The recorder of one tab: it receives who watches, and sends the events of its page. A session with a token requires that token.',
    accepts: ['ping', 'replay:event:emitted', 'replay:events', 'session:active', 'session:inactive'],
  },
  'events:admin:{account_id}:all': {
    who: 'user',
    summary: 'Presence of tabs with a running recorder, for users who may watch sessions.',
    accepts: ['ping'],
  },
  'events:admin:{account_id}:{session_id}': {
    who: 'user',
    summary: 'The events of one tab, for those who watch it.',
    accepts: ['ping'],
  },
  'functions:{account_id}': {
    who: 'admin',
    summary: 'Ids of functions whose runs were queued, started or ended, without their content.',
    accepts: ['ping'],
  },
  'issue:lobby:{customer_id}': { who: 'user', summary: 'Issues of one customer, for the team.', accepts: [] },
} as const satisfies Record<string, Topic>

/** A declared topic, with names in braces in place of ids. */
export type TopicPattern = keyof typeof TOPICS
