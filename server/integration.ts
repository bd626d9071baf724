import type { DeliveryKind } from '#contract/deliveries.ts'
import type { EventType } from '#contract/events.ts'
import type { Authorization, IntegrationName, WayIn } from '#contract/integrations.ts'
import type { OAuthType } from '#contract/oauth.ts'
import type { Context } from './context.ts'
import type { LoggedEvent } from './feature.ts'
import type { SignedInUser, User } from './platform/caller.ts'
import type { LiveConnection } from './platform/outbound/live-connections.ts'

/** What connects support with another system. Everything that only the integration knows stands here. */
export interface Integration {
  name: IntegrationName
  /** Replies go to the origin of a conversation; at a mirror the team answers. `none`: no messages go there. */
  role: 'origin' | 'mirror' | 'none'
  wayIn: WayIn
  /** It works without being connected, by what the operator has set up: mail of the installation's own mail server. */
  isAlwaysThere?: true
  /** Opens a long-lived connection, by which events come in. One server at a time holds it. */
  connect?(context: Context, authorization: ConnectedAuthorization, signal: AbortSignal): Promise<LiveConnection>
  /** Asks for what came in. Called each minute. */
  poll?(context: Context, authorization: ConnectedAuthorization): Promise<void>
  /**
   * Makes something of what came in. It may be called again for the same event, so the ids of what it makes are derived.
   * Fetches first, then writes: no call to anybody stands within a transaction.
   * @throws when it should be tried again; the message is shown to people if it is a `Later`
   */
  receive?(context: Context, event: ReceivedEvent): Promise<Outcome>
  /** The deliveries that follow from an event. Reads nothing but what it is given. */
  plan?(given: Planned): NewDelivery[]
  /**
   * Hands one delivery over.
   * @throws Later, Never or Reconnect with a sentence; anything else counts as an outcome that nobody knows
   */
  deliver?(context: Context, delivery: OpenDelivery): Promise<Receipt>
  /** Looks whether a delivery arrived whose last try ended nobody knows how. */
  findSent?(context: Context, delivery: OpenDelivery): Promise<Receipt | undefined>
  /** What the button does. It throws a refusal with a sentence when the other side does not answer as it should. */
  test?(context: Context, authorization: ConnectedAuthorization): Promise<void>
  /** How it is connected through the consent page of its vendor. */
  consent?: Consent
  /** Revokes the grant at the other side, once it was removed here. Best effort. */
  revoke?(context: Context, authorization: ConnectedAuthorization): Promise<void>
}

/** The way through a vendor's consent page. What came back is known to belong to whoever comes back. */
export interface Consent {
  /**
   * Where the browser goes.
   * @throws Refusal where no app is set up, or this cannot be connected
   */
  begin(context: Context, caller: SignedInUser, start: OpenedStart): Promise<string>
  /**
   * Trades what came back and connects. Null where the vendor has one more page to show: it is begun again.
   * @throws Refusal with a sentence; OAuthRefused and what deliveries throw are told as one
   */
  finish(context: Context, caller: User, returned: Returned): Promise<Authorization | null>
}

/** A consent that was started, with its state and verifier. */
export interface OpenedStart {
  type: OAuthType
  inbox_id: string | null
  state: string
  /** The PKCE verifier. */
  verifier: string
}

/** What a browser brought back from a consent page. Clients of the predecessor bring neither state nor verifier. */
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

/** A connection with its credentials. Never leaves the server. */
export interface ConnectedAuthorization<Credentials = Record<string, unknown>> {
  account_id: string
  id: string
  integration: IntegrationName
  inbox_id: string | null
  user_id: number | null
  label: string
  address: string | null
  settings: Record<string, unknown>
  cursor: Record<string, unknown> | null
  created_at: string
  credentials: Credentials
}

/** What came in and was stored. */
export interface ReceivedEvent {
  account_id: string
  id: string
  integration: IntegrationName
  authorization_id: string | null
  key: string
  payload: Record<string, unknown>
  /** Of what is too large for a row: a whole mail. */
  bytes: Buffer | undefined
  created_at: string
}

/** What became of what came in. */
export type Outcome =
  | { state: 'done'; conversation_id?: string; customer_id?: string; message_id?: string }
  | { state: 'ignored'; reason: string; conversation_id?: string; customer_id?: string }

/** Events from which deliveries follow. */
export const PLANNED_EVENTS = [
  'message:created',
  'message:updated',
  'message:deleted',
  'conversation:updated',
  'issue:updated',
] as const satisfies EventType[]

/** An event, with the connections of one integration in its account that it may concern. */
export interface Planned {
  account_id: string
  event: LoggedEvent<(typeof PLANNED_EVENTS)[number]>['event']
  /** Of the conversation; none for events that concern none. */
  conversation: PlannedConversation | undefined
  /** Those of the account that may be told: not the one that a message came in by, and for notes no origin. */
  authorizations: PlannedAuthorization[]
  /** Where the conversation is known by these connections. */
  threads: PlannedThread[]
}

export interface PlannedConversation {
  id: string
  inbox_id: string
  source: string
  /**
   * The mailbox by which mail of it leaves: where its newest mail came, else that of its inbox. None where its mails come to a
   * forwarding address, or there is none: then the installation's own mail server sends.
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
  /** What it shows of the conversation's state, in the integration's own words. */
  shown_status: string | null
}

export interface NewDelivery {
  authorization_id: string | null
  kind: DeliveryKind
  /** Those with the same go one after the other. */
  queue: string
  conversation_id?: string | null
  message_id?: string | null
  payload?: Record<string, unknown>
  /** While it can still be taken back. At once without it. */
  not_before?: Date
  /** Tells deliveries of one kind about one message apart. */
  version?: string
}

/** A delivery that is being sent. */
export interface OpenDelivery {
  account_id: string
  id: string
  kind: DeliveryKind
  queue: string
  conversation_id: string | null
  message_id: string | null
  payload: Record<string, unknown>
  tries: number
  created_at: string
  /** None where the integration is always there. */
  authorization: ConnectedAuthorization | null
}

/** What the other side calls it now. */
export interface Receipt {
  place?: string
  external_id?: string
  /** The thread that it began there. */
  thread?: { place: string; thread: string; permalink?: string }
  /** There was nothing to be sent any more: the message is gone. */
  dropped?: true
}

/** Not now. Nothing was sent. */
export class Later extends Error {
  readonly at: Date | undefined
  /** Whether the whole connection rests until then, because the other side asked for it or does not answer. */
  readonly restsAll: boolean
  constructor(sentence: string, { at, restsAll = false }: { at?: Date; restsAll?: boolean } = {}) {
    super(sentence)
    this.at = at
    this.restsAll = restsAll
  }
}

/** Not ever: the number does not exist. The next one goes. */
export class Never extends Error {}

/** Not before somebody connects it again. */
export class Reconnect extends Error {}
