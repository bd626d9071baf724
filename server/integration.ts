import type { DeliveryKind } from '#contract/connections/deliveries.ts'
import type { Authorization, IntegrationName, Transport } from '#contract/connections/integrations.ts'
import type { OAuthType } from '#contract/connections/oauth.ts'
import type { EventType } from '#contract/events.ts'
import type { Context } from './context.ts'
import type { LoggedEvent } from './feature.ts'
import type { SignedInUser, User } from './platform/caller.ts'
import type { LiveConnection } from './platform/outbound/live-connections.ts'

/**
 * Connects support with another system. Contains everything specific to the integration. `Connection` is what it stored
 * about its connections; null if it needs none.
 */
export interface Integration<Connection extends ConnectedAuthorization | null = ConnectedAuthorization | null> {
  name: IntegrationName
  /** Replies are sent to a conversation's origin; in a mirror the team replies. `none`: no messages are sent there. */
  role: 'origin' | 'mirror' | 'none'
  transport: Transport
  /** It needs no connection, only the operator's settings: mail through the installation's own mail server. */
  isBuiltIn?: true
  /** Opens a long-lived connection over which events arrive. Held by one server at a time. */
  connect?(context: Context, authorization: NonNullable<Connection>, signal: AbortSignal): Promise<LiveConnection>
  /** Fetches new events. Called each minute. */
  poll?(context: Context, authorization: NonNullable<Connection>): Promise<void>
  /**
   * Processes a received event. It may be called again for the same event, so ids of created objects are derived from
   * it.
   * Fetches first, then writes: a transaction must not contain calls to other systems.
   * @throws if it should be retried; the message of a `RetryLater` is shown to people
   */
  receive?(context: Context, event: ReceivedEvent): Promise<InboundOutcome>
  /** The deliveries that follow from an event. Only uses its arguments. */
  plan?(planned: Planned): NewDelivery[]
  /**
   * Sends one delivery.
   * @throws RetryLater, PermanentFailure or ConnectionRevoked with a sentence; for any other error the outcome counts as unknown
   */
  deliver?(context: Context, delivery: OpenDelivery<Connection>): Promise<Receipt>
  /** Looks for a delivery whose last try had an unknown outcome. */
  findSent?(context: Context, delivery: OpenDelivery<Connection>): Promise<Receipt | undefined>
  /**
   * How long after a try with unknown outcome the vendor's reports about it have arrived, in milliseconds. `findSent` is
   * not called before.
   */
  reportsWithinMs?: number
  /** The action of the test button. Throws a refusal with a sentence if the other system does not answer properly. */
  test?(context: Context, authorization: NonNullable<Connection>): Promise<void>
  /** How to connect through the vendor's consent page. */
  consent?: Consent
  /** Revokes the grant at the vendor after it was removed here. Best effort. */
  revoke?(context: Context, authorization: NonNullable<Connection>): Promise<void>
}

/** Connecting through a vendor's consent page. The caller has checked that the redirect belongs to the current user. */
export interface Consent {
  /**
   * The address of the consent page.
   * @throws Refusal if no app is set up, or this cannot be connected
   */
  begin(context: Context, caller: SignedInUser, start: OpenedStart): Promise<string>
  /**
   * Exchanges the redirect's parameters and connects. Null if the vendor needs one more page: the consent starts again.
   * @throws Refusal with a sentence; OAuthRefused and the errors of deliveries are converted to one
   */
  finish(context: Context, caller: User, returned: Returned): Promise<Authorization | null>
}

/** A started consent, with its state and verifier. */
export interface OpenedStart {
  type: OAuthType
  inbox_id: string | null
  state: string
  /** The PKCE verifier. */
  verifier: string
}

/** The parameters of the redirect from a consent page. Clients of Papercups send neither state nor verifier. */
export interface Returned {
  type: OAuthType
  inbox_id: string | null
  code?: string | null | undefined
  scope?: string | null | undefined
  state?: string | undefined
  verifier?: string | undefined
  installation_id?: string | null | undefined
  setup_action?: string | null | undefined
}

/**
 * A connection with its credentials. Never leaves the server. The integration knows the shapes of its credentials, settings and
 * cursor, because nothing else writes them.
 */
export interface ConnectedAuthorization<Credentials = object, Settings = object, Cursor = object> {
  account_id: string
  id: string
  integration: IntegrationName
  inbox_id: string | null
  user_id: number | null
  label: string
  address: string | null
  settings: Settings
  cursor: Cursor | null
  created_at: string
  credentials: Credentials
}

/** A stored received event. */
export interface ReceivedEvent {
  account_id: string
  id: string
  integration: IntegrationName
  authorization_id: string | null
  key: string
  payload: Record<string, unknown>
  /** Contents that are too large for a row: a whole mail. */
  bytes: Buffer | undefined
  created_at: string
}

/** The outcome of a received event. */
export type InboundOutcome =
  | { state: 'done'; conversation_id?: string; customer_id?: string; message_id?: string }
  | { state: 'ignored'; reason: string; conversation_id?: string; customer_id?: string }

/** An event that changed nothing. The sentence explains why, for people who look for it. */
export function ignored(reason: string): InboundOutcome {
  return { state: 'ignored', reason }
}

/** An event about a sent message may arrive before the message's id was stored here. */
const RECORDED_WITHIN_MS = 120_000

/**
 * What becomes of an event about a sent message that is not stored here.
 * @param came_at when the event arrived
 * @throws RetryLater while it may still be stored
 */
export function ignoredUnlessNew(came_at: string): InboundOutcome {
  if (Date.now() - Date.parse(came_at) < RECORDED_WITHIN_MS)
    throw new RetryLater('The message to which it refers is not recorded yet.')
  return ignored('It is about a message that was not sent from a conversation.')
}

/** Events that deliveries may follow from. */
export const PLANNED_EVENTS = [
  'message:created',
  'message:updated',
  'message:deleted',
  'conversation:updated',
  'issue:updated',
] as const satisfies EventType[]

/** An event, with the integration's connections in its account that it may concern. */
export interface Planned {
  account_id: string
  event: LoggedEvent<(typeof PLANNED_EVENTS)[number]>['event']
  /** The event's conversation, if it has one. */
  conversation: PlannedConversation | undefined
  /** The connections that may receive it: not the one the message came from, and no origin for notes. */
  authorizations: PlannedAuthorization[]
  /** The integration over which the customer wrote, if any: several may carry the same channel. */
  origin: IntegrationName | undefined
  /** The conversation's threads on these connections. */
  threads: PlannedThread[]
}

export interface PlannedConversation {
  id: string
  inbox_id: string
  source: string
  /**
   * The mailbox that sends the conversation's mails: where its newest mail arrived, else the inbox's mailbox. Null if
   * its mails arrive at a forwarding address, or there is no mailbox: then the installation's own mail server is used.
   */
  mailbox_id: string | null
}

export interface PlannedAuthorization {
  id: string
  inbox_id: string | null
  user_id: number | null
  settings: Record<string, unknown>
}

export interface PlannedThread {
  id: string
  authorization_id: string
  role: 'origin' | 'mirror'
  place: string
  thread: string
  /** The conversation's state as shown there, in the integration's own form. */
  shown_status: string | null
}

export interface NewDelivery {
  authorization_id: string | null
  kind: DeliveryKind
  /** Deliveries of the same queue are sent one after the other. */
  queue: string
  conversation_id?: string | null
  message_id?: string | null
  payload?: Record<string, unknown>
  /** While it can still be taken back; due at once if left out. */
  not_before?: Date
  /** Distinguishes deliveries of one kind about one message. */
  version?: string
}

/** A delivery that is being sent. */
export interface OpenDelivery<Connection extends ConnectedAuthorization | null = ConnectedAuthorization | null> {
  account_id: string
  id: string
  kind: DeliveryKind
  queue: string
  conversation_id: string | null
  message_id: string | null
  payload: Record<string, unknown>
  tries: number
  created_at: string
  /** Null if the integration needs no connection. */
  authorization: Connection
}

/** The ids in the other system. */
export interface Receipt {
  place?: string
  external_id?: string
  /** The thread that was started there. */
  thread?: { place: string; thread: string; permalink?: string }
  /** There was nothing left to send: the message was deleted. */
  dropped?: true
}

/** To be retried later; nothing was sent. */
export class RetryLater extends Error {
  readonly at: Date | undefined
  /** Whether the whole connection pauses until then, because the other system asked for it or does not answer. */
  readonly restsAll: boolean
  constructor(sentence: string, { at, restsAll = false }: { at?: Date; restsAll?: boolean } = {}) {
    super(sentence)
    this.at = at
    this.restsAll = restsAll
  }
}

/** Impossible for good, for example because the number does not exist. Later deliveries continue. */
export class PermanentFailure extends Error {}

/**
 * It may have arrived, and the other system cannot be asked: a person looks there and decides. Trying again sends it once
 * more.
 */
export class OutcomeUnknown extends PermanentFailure {}

/** Impossible until somebody reconnects it. */
export class ConnectionRevoked extends Error {}
