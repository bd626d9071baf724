import { accounts } from './accounts.ts'
import { authSessions } from './auth-sessions.ts'
import { conversations } from './conversations.ts'
import { customers } from './customers.ts'
import type { Endpoint } from './endpoint.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { inboxes } from './inboxes.ts'
import { messages } from './messages.ts'
import { operations } from './operations.ts'
import { savedReplies } from './saved-replies.ts'
import { search } from './search.ts'
import { sharing } from './sharing.ts'
import { tags } from './tags.ts'
import { widgets } from './widgets.ts'

/** Every call there is, for the documentation and for the tests that walk them all. */
export const features = {
  accounts,
  authSessions,
  conversations,
  customers,
  events,
  files,
  inboxes,
  messages,
  operations,
  savedReplies,
  sharing,
  tags,
  search,
  widgets,
} satisfies Record<string, Record<string, Endpoint>>

export const endpoints: Endpoint[] = Object.values(features).flatMap((feature) => Object.values(feature))
