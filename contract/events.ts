import * as z from 'zod/mini'
import { accountUpdated } from './accounts/accounts.ts'
import { availabilityUpdated } from './accounts/availability.ts'
import { billingUpdated } from './accounts/billing.ts'
import { teamDeleted, teamUpdated } from './accounts/teams.ts'
import { userUpdated } from './accounts/users.ts'
import { deliveryUpdated } from './connections/deliveries.ts'
import { authorizationRemoved, authorizationUpdated } from './connections/integrations.ts'
import { conversationAssigned } from './conversations/assignments.ts'
import {
  conversationCreated,
  conversationTagged,
  conversationUpdated,
  customerTagged,
} from './conversations/conversations.ts'
import { deadlineBroken, deadlinePoliciesUpdated, deadlineWarned } from './conversations/deadlines.ts'
import { conversationDestroyed } from './conversations/deleted-conversations.ts'
import { messagesMoved } from './conversations/merging.ts'
import { messageCreated, messageDeleted, messagesRead, messagesSeen, messageUpdated } from './conversations/messages.ts'
import { conversationRated } from './conversations/ratings.ts'
import { rulesUpdated } from './conversations/rules.ts'
import { scheduledMessageRemoved, scheduledMessageUpdated } from './conversations/scheduled-messages.ts'
import { messagesTranslated } from './conversations/translations.ts'
import { conversationViewsUpdated } from './conversations/views.ts'
import { attributeDefinitionsUpdated } from './customers/attributes.ts'
import { companyDeleted, companyUpdated } from './customers/companies.ts'
import { customerImportUpdated } from './customers/customer-imports.ts'
import { noteCreated, noteDeleted, noteUpdated } from './customers/customer-notes.ts'
import { conversationsMoved, customerFilterDeleted, customerFilterUpdated } from './customers/customer-profiles.ts'
import { accessChanged, customerDeleted, customerUpdated } from './customers/customers.ts'
import { issueCreated, issueDeleted, issueLinked, issueUnlinked, issueUpdated } from './customers/issues.ts'
import { tagDeleted, tagUpdated } from './customers/tags.ts'
import { endpoint } from './endpoint.ts'
import type { ClientEventOf, EventForm, EventOf } from './event.ts'
import { articleCollectionsUpdated } from './help/article-collections.ts'
import { articleDeleted, articleUpdated } from './help/articles.ts'
import { helpCenterUpdated } from './help/help-center.ts'
import { VisitorEvent } from './visitor-events.ts'
import { inboxDeleted, inboxUpdated } from './widget/inboxes.ts'
import { widgetSettingsUpdated } from './widget/widget-settings.ts'
import { CountParameter, Text } from './wire.ts'

/** All events. */
export const eventDefinitions = [
  accessChanged,
  messageCreated,
  messageUpdated,
  messageDeleted,
  messagesSeen,
  messagesRead,
  messagesMoved,
  messagesTranslated,
  conversationCreated,
  conversationUpdated,
  conversationRated,
  conversationTagged,
  conversationDestroyed,
  attributeDefinitionsUpdated,
  deadlinePoliciesUpdated,
  deadlineWarned,
  deadlineBroken,
  conversationAssigned,
  customerUpdated,
  customerDeleted,
  customerTagged,
  conversationsMoved,
  customerFilterUpdated,
  customerFilterDeleted,
  customerImportUpdated,
  companyUpdated,
  companyDeleted,
  accountUpdated,
  billingUpdated,
  inboxUpdated,
  inboxDeleted,
  widgetSettingsUpdated,
  userUpdated,
  availabilityUpdated,
  teamUpdated,
  teamDeleted,
  tagUpdated,
  tagDeleted,
  noteCreated,
  noteUpdated,
  noteDeleted,
  issueCreated,
  issueUpdated,
  issueDeleted,
  issueLinked,
  issueUnlinked,
  authorizationUpdated,
  authorizationRemoved,
  deliveryUpdated,
  scheduledMessageUpdated,
  scheduledMessageRemoved,
  rulesUpdated,
  conversationViewsUpdated,
  helpCenterUpdated,
  articleCollectionsUpdated,
  articleUpdated,
  articleDeleted,
] as const

type Definition = (typeof eventDefinitions)[number]

/** An event as stored in the log and read by consumers. `customer_id` is always the customer of the conversation. */
export type Event = EventOf<Definition>
/** The internal name of an event; clients know some by another. */
export type EventType = Event['type']

/** Events of which the customer receives something. */
export type CustomerEvent = EventOf<Extract<Definition, { receivers: 'team and customer' }>>

/**
 * An event as clients receive it, over a socket or from the resume feed. Names are those of published clients, for whom
 * a message is a `shout`.
 */
export type ClientEvent = ClientEventOf<Definition>
const forms = eventDefinitions.flatMap(({ clientForms }): readonly EventForm[] => clientForms)
export const ClientEvent = z.discriminatedUnion('event', forms as [EventForm]) as z.ZodMiniType<ClientEvent>

function EventPage<S extends z.ZodMiniType>(event: S) {
  return z.object({
    data: z.array(event),
    cursor: z.string().check(z.describe('Send it as `after` in the next call.')),
    more: z.boolean().check(z.describe('Whether there is more: call again with the new cursor.')),
    reset: z.boolean().check(z.describe('The cursor was too old or unknown: reload everything.')),
  })
}

/** The resume feed: all events after a position in the log. */
export const events = {
  after: endpoint('user or visitor', 'GET', '/api/events', {
    summary: 'Lists the caller’s events after a cursor; some may repeat. Without a cursor, returns the current one.',
    query: z.object({
      after: z
        .optional(Text(100))
        .check(z.describe('The `cursor` of the call before. Leave it out to start with the newest event.')),
      limit: CountParameter,
    }),
    answer: EventPage(ClientEvent),
    visitor_answer: EventPage(VisitorEvent),
  }),
}
