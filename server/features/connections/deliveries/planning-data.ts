import { sql } from 'kysely'
import { type IntegrationName, MAILBOXES } from '#contract/connections/kinds.ts'
import type { Context } from '../../../context.ts'
import type { LoggedEvent } from '../../../feature.ts'
import type { PLANNED_EVENTS, PlannedAuthorization, PlannedConversation, PlannedThread } from '../../../integration.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { listExternalMessages, listThreads } from '../external-links/external-links.ts'

/** An event that deliveries may follow from. */
export type PlannedEvent = LoggedEvent<(typeof PLANNED_EVENTS)[number]>

/** What the planning of a batch of events depends on. */
export interface PlanningData {
  authorizations: (PlannedAuthorization & { account_id: string; integration: IntegrationName; is_removed: boolean })[]
  conversations: Map<string, PlannedConversation>
  threads: Map<string, PlannedThread[]>
  /** The connections that messages were received over. */
  cameBy: Map<string, string>
}

/** The id of the conversation that an event is about. */
export function conversationOf(event: PlannedEvent['event']): string | undefined {
  if ('message' in event) return event.message.conversation_id
  if ('conversation' in event) return event.conversation.id
  return 'conversation_id' in event ? event.conversation_id : undefined
}

/** Connections, and after them the disconnected ones, the last one first. */
export function listAuthorizationsOf(db: Db, events: PlannedEvent[]) {
  return db
    .selectFrom('authorizations')
    .select(['account_id', 'id', 'integration', 'inbox_id', 'user_id', 'settings'])
    .select(sql<boolean>`removed_at is not null`.as('is_removed'))
    .where('account_id', 'in', [...new Set(events.map(({ account_id }) => account_id))])
    .orderBy('removed_at', (order) => order.desc().nullsFirst())
    .orderBy('created_at')
    .$castTo<PlanningData['authorizations'][number]>()
    .execute()
}

/** Reads what a batch depends on: one query of each kind for an account. */
export async function readPlanningData(
  { mailer }: Pick<Context, 'mailer'>,
  db: Db,
  events: PlannedEvent[],
  authorizations: PlanningData['authorizations'],
): Promise<PlanningData> {
  const data: PlanningData = { authorizations, conversations: new Map(), threads: new Map(), cameBy: new Map() }
  for (const [account_id, accountEvents] of Map.groupBy(events, (plannedEvent) => plannedEvent.account_id)) {
    const conversation_ids = [...new Set(accountEvents.flatMap(({ event }) => conversationOf(event) ?? []))]
    const message_ids = accountEvents.flatMap(({ event }) =>
      'message' in event ? event.message.id : 'message_id' in event ? event.message_id : [],
    )
    const connected = authorizations.filter((authorization) => authorization.account_id === account_id)
    const mailboxes = connected.filter(({ integration }) => MAILBOXES.includes(integration))
    for (const { came_by, ...conversation } of await listConversations(db, account_id, conversation_ids)) {
      data.conversations.set(`${account_id} ${conversation.id}`, {
        ...conversation,
        mailbox_id: findMailbox(mailboxes, conversation, came_by, mailer.isOn),
      })
    }
    // Threads and messages elsewhere belong to connections.
    if (connected.length === 0) continue
    const threads = await listThreads(db, account_id, conversation_ids)
    for (const [id, group] of Map.groupBy(threads, (thread) => thread.conversation_id)) {
      data.threads.set(`${account_id} ${id}`, group)
    }
    for (const { message_id, authorization_id, direction } of await listExternalMessages(db, account_id, message_ids)) {
      if (direction === 'in' && message_id) data.cameBy.set(message_id, authorization_id)
    }
  }
  return data
}

/** Stands for the mailbox if a mail arrived at a forwarding address. */
const FORWARDED = 'forwarded'

/**
 * The mailbox that sends a conversation's mails. Without a mail server of the installation a disconnected one: mails
 * wait for it.
 */
function findMailbox(
  mailboxes: PlanningData['authorizations'],
  { inbox_id }: { inbox_id: string },
  came_by: string | null,
  hasMailServer: boolean,
): string | null {
  if (came_by === FORWARDED && hasMailServer) return null
  const findAmong = (candidates: PlanningData['authorizations']) =>
    candidates.find(({ id }) => id === came_by) ??
    candidates.find((authorization) => authorization.inbox_id === inbox_id)
  const connected = findAmong(mailboxes.filter(({ is_removed }) => !is_removed))
  const mailbox = connected ?? (hasMailServer ? undefined : findAmong(mailboxes))
  return mailbox?.id ?? null
}

async function listConversations(db: Db, account_id: string, ids: string[]) {
  if (ids.length === 0) return []
  return ofAccount(db, account_id)
    .selectFrom('conversations')
    .select(['id', 'inbox_id', 'source'])
    .select((eb) =>
      eb
        .selectFrom('message_mails')
        .select(sql<string>`coalesce(authorization_id::text, ${FORWARDED})`.as('way'))
        .whereRef('message_mails.account_id', '=', 'conversations.account_id')
        .whereRef('message_mails.conversation_id', '=', 'conversations.id')
        .where('direction', '=', 'in')
        .orderBy('message_mails.created_at', 'desc')
        .limit(1)
        .as('came_by'),
    )
    .where('id', 'in', ids)
    .execute()
}
