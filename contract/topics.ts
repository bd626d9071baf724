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
  'room:{account_id}': { who: 'anyone', summary: 'Which agents are online.', accepts: [] },
  'conversation:lobby': { who: 'anyone', summary: 'Silent; old clients join it.', accepts: [] },
  'conversation:lobby:{customer_id}': {
    who: 'anyone',
    summary: 'Tells a visitor without a conversation that one was started for them.',
    accepts: [],
  },
  'conversation:{conversation_id}': {
    who: 'anyone',
    summary: "The customer's side of one conversation.",
    accepts: ['ping', 'shout', 'messages:seen', 'typing'],
  },
  'notification:{account_id}': {
    who: 'user',
    summary: 'Everything that happens in an account, for its team.',
    accepts: ['ping', 'read', 'shout', 'typing', 'viewing'],
  },
  'events:{account_id}:{session_id}': {
    who: 'anyone',
    summary:
      'The recorder of one tab: who watches, and where it sends what happens. A session with a token takes nobody without it.',
    accepts: ['ping', 'replay:event:emitted', 'replay:events', 'session:active', 'session:inactive'],
  },
  'events:admin:{account_id}:all': {
    who: 'user',
    summary: 'In which tabs recorders run now, for who may watch sessions.',
    accepts: ['ping'],
  },
  'events:admin:{account_id}:{session_id}': {
    who: 'user',
    summary: 'What happens in one tab, for who watches it.',
    accepts: ['ping'],
  },
  'functions:{account_id}': {
    who: 'admin',
    summary: 'Which functions have a run that waits, began or ended, without a word of what is in it.',
    accepts: ['ping'],
  },
  'issue:lobby:{customer_id}': { who: 'user', summary: 'Issues of one customer, for the team.', accepts: [] },
} as const satisfies Record<string, Topic>

/** A declared topic, with names in braces in place of ids. */
export type TopicPattern = keyof typeof TOPICS
