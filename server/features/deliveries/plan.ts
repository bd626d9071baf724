import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../feature.ts'
import type {
  Integration,
  NewDelivery,
  Planned,
  PlannedAuthorization,
  PlannedConversation,
  PlannedThread,
} from '../../integration.ts'
import { PLANNED_EVENTS } from '../../integration.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'
import { listExternalMessages, listThreads } from '../external-links/external-links.ts'
import { writeDeliveries } from './deliveries.ts'
import { sendDeliveries } from './sender.ts'

export type Event = LoggedEvent<(typeof PLANNED_EVENTS)[number]>

/** Plans deliveries for events. It starts at the end of the log, so a new connection gets no old messages. */
export const planDeliveries = defineConsumer('deliveries.plan', {
  of: PLANNED_EVENTS,
  jobs: [sendDeliveries],
  consume: plan,
})

interface PlanningData {
  authorizations: (PlannedAuthorization & { account_id: string; integration: string; is_removed: boolean })[]
  conversations: Map<string, PlannedConversation>
  threads: Map<string, PlannedThread[]>
  /** The connections that messages were received over. */
  cameBy: Map<string, string>
}

/** One query of each kind for a whole batch; a single query if nothing is connected. */
async function plan(context: Context, open: Change, events: Event[]): Promise<void> {
  const authorizations = await listAuthorizationsOf(open.db, events)
  const isSomethingThere = [...context.integrations.values()].some(({ isAlwaysThere }) => isAlwaysThere)
  if (authorizations.length === 0 && !isSomethingThere) return
  const connected = new Set(authorizations.map(({ account_id }) => account_id))
  const concerned = events.filter(({ account_id }) => isSomethingThere || connected.has(account_id))
  const known = await readKnown(context, open.db, concerned, authorizations)
  const deliveries = concerned.flatMap((one) =>
    planEvent(context, one, known).map((delivery) => ({ request_id: one.request_id ?? null, ...delivery })),
  )
  const accounts = await writeDeliveries(open, deliveries)
  const payloads = accounts.map((account_id) => ({ payload: { account_id } }))
  await context.jobs.enqueueAll(open.db, sendDeliveries, payloads)
}

type PlannedDelivery = NewDelivery & { account_id: string; integration: Integration['name'] }

/**
 * The deliveries that follow from an event. A reply to a customer whose channel was disconnected waits until it is
 * connected again.
 */
function planEvent(context: Pick<Context, 'integrations'>, one: Event, known: PlanningData): PlannedDelivery[] {
  const all = [...context.integrations.values()]
  const origins = all.filter(({ role }) => role === 'origin')
  const planWith = (some: Integration[], is_removed: boolean) =>
    some.flatMap((integration) =>
      planFor(integration, one, known, is_removed).map((delivery) => ({
        ...delivery,
        account_id: one.account_id,
        integration: integration.name,
      })),
    )
  const mirrored = planWith(
    all.filter(({ role }) => role !== 'origin'),
    false,
  )
  const sent = planWith(origins, false)
  const isWithoutChannel = one.event.type === 'message:created' && sent.length === 0
  return [...mirrored, ...(isWithoutChannel ? planWith(origins, true) : sent)]
}

/** The deliveries of a reply of this user to the customer, as if it was sent now. */
export async function planReply(
  context: Pick<Context, 'db' | 'integrations' | 'mailer'>,
  { account_id, conversation_id, user_id }: { account_id: string; conversation_id: string; user_id: number },
): Promise<PlannedDelivery[]> {
  const message = {
    account_id,
    conversation_id,
    id: newId(),
    user_id,
    customer_id: null,
    private: false,
    metadata: null,
  }
  const reply = { account_id, event: { type: 'message:created', message } } as unknown as Event
  const authorizations = await listAuthorizationsOf(context.db, [reply])
  const known = await readKnown(context, context.db, [reply], authorizations)
  const origins = new Map([...context.integrations].filter(([, { role }]) => role === 'origin'))
  return planEvent({ integrations: origins }, reply, known)
}

function planFor(
  integration: Integration,
  { account_id, event }: Event,
  known: PlanningData,
  is_removed: boolean,
): NewDelivery[] {
  if (!integration.plan) return []
  const message = 'message' in event ? event.message : undefined
  const message_id = message?.id ?? ('message_id' in event ? event.message_id : undefined)
  const cameBy = message_id && known.cameBy.get(message_id)
  const isForTeam = !!message && (message.private || message.customer_id !== null)
  // Notes and the customer's messages go to mirrors only, never back to where the customer is.
  if (isForTeam && integration.role === 'origin') return []
  const authorizations = known.authorizations.filter(
    (one) =>
      one.account_id === account_id &&
      one.integration === integration.name &&
      one.id !== cameBy &&
      one.is_removed === is_removed,
  )
  if (authorizations.length === 0 && (is_removed || !integration.isAlwaysThere)) return []
  const conversation_id = conversationOf(event)
  const ids = new Set(authorizations.map(({ id }) => id))
  const planned: Planned = {
    account_id,
    event,
    conversation: forAuthor(known.conversations.get(`${account_id} ${conversation_id}`), known, message),
    authorizations,
    threads: (known.threads.get(`${account_id} ${conversation_id}`) ?? []).filter((one) =>
      ids.has(one.authorization_id),
    ),
  }
  return integration.plan(planned)
}

/** A user's messages are sent from their own mailbox, if they have connected one. */
function forAuthor(
  conversation: PlannedConversation | undefined,
  { authorizations }: PlanningData,
  message: { account_id: string; user_id: number | null } | undefined,
): PlannedConversation | undefined {
  const own = authorizations.find(
    (one) =>
      !one.is_removed &&
      one.account_id === message?.account_id &&
      one.integration === 'gmail' &&
      one.inbox_id === null &&
      one.user_id !== null &&
      one.user_id === message.user_id,
  )
  return own && conversation ? { ...conversation, mailbox_id: own.id } : conversation
}

function conversationOf(event: Event['event']): string | undefined {
  if ('message' in event) return event.message.conversation_id
  if ('conversation' in event) return event.conversation.id
  return 'conversation_id' in event ? event.conversation_id : undefined
}

/** Connections, and after them the disconnected ones, the last one first. */
function listAuthorizationsOf(db: Db, events: Event[]) {
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

async function readKnown(
  { mailer }: Pick<Context, 'mailer'>,
  db: Db,
  events: Event[],
  authorizations: PlanningData['authorizations'],
): Promise<PlanningData> {
  const known: PlanningData = { authorizations, conversations: new Map(), threads: new Map(), cameBy: new Map() }
  for (const [account_id, some] of Map.groupBy(events, (one) => one.account_id)) {
    const conversation_ids = [...new Set(some.flatMap(({ event }) => conversationOf(event) ?? []))]
    const message_ids = some.flatMap(({ event }) =>
      'message' in event ? event.message.id : 'message_id' in event ? event.message_id : [],
    )
    const connected = authorizations.filter((authorization) => authorization.account_id === account_id)
    const mailboxes = connected.filter(({ integration }) => MAILBOXES.includes(integration))
    for (const { came_by, ...one } of await listConversations(db, account_id, conversation_ids)) {
      known.conversations.set(`${account_id} ${one.id}`, {
        ...one,
        mailbox_id: findMailbox(mailboxes, one, came_by, mailer.isOn),
      })
    }
    // Threads and messages elsewhere belong to connections.
    if (connected.length === 0) continue
    const threads = await listThreads(db, account_id, conversation_ids)
    for (const [id, group] of Map.groupBy(threads, (one) => one.conversation_id)) {
      known.threads.set(`${account_id} ${id}`, group)
    }
    for (const { message_id, authorization_id, direction } of await listExternalMessages(db, account_id, message_ids)) {
      if (direction === 'in' && message_id) known.cameBy.set(message_id, authorization_id)
    }
  }
  return known
}

const MAILBOXES = ['mailbox', 'gmail']
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
  const findAmong = (some: PlanningData['authorizations']) =>
    some.find(({ id }) => id === came_by) ?? some.find((one) => one.inbox_id === inbox_id)
  const connected = findAmong(mailboxes.filter(({ is_removed }) => !is_removed))
  const found = connected ?? (hasMailServer ? undefined : findAmong(mailboxes))
  return found?.id ?? null
}

async function listConversations(db: Db, account_id: string, ids: string[]) {
  if (ids.length === 0) return []
  return db
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
    .where('account_id', '=', account_id)
    .where('id', 'in', ids)
    .execute()
}
