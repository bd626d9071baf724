// The public interface of `widget.js`, as types only: this file adds nothing to the script.

/** Who the visitor is, as far as the website knows. Other keys of the API's customer are accepted, too. */
export interface ParleyCustomer {
  /** The website's own id for this person. */
  external_id?: string | number
  name?: string
  email?: string
  phone?: string
  profile_photo_url?: string
  /** Anything else worth knowing, shown to the team. */
  metadata?: Record<string, unknown>
  [key: string]: unknown
}

type Style = Record<string, string | number>

/** The payload of `onMessageSent` and `onMessageReceived`. */
export interface ParleyMessage {
  id?: string
  body?: string | null
  created_at?: string
  sent_at?: string | null
  customer_id?: string | null
  user_id?: number | null
  [key: string]: unknown
}

/** What a website may configure, in `Parley('boot', …)`, `window.Parley.config` or the older `window.Papercups.config`. */
export interface ParleyConfig {
  /** The id of the account. */
  token?: string
  /** The older name of `token`. */
  accountId?: string
  /** The id of the inbox; the primary inbox by default. */
  inbox?: string
  /** The server's address; by default the origin of the script. */
  baseUrl?: string
  /** Accepted for old pages and ignored: the frame always comes from `baseUrl`. */
  iframeUrlOverride?: string
  title?: string
  subtitle?: string
  primaryColor?: string
  greeting?: string
  awayMessage?: string
  newMessagePlaceholder?: string
  emailInputPlaceholder?: string
  newMessagesNotificationText?: string
  agentAvailableText?: string
  agentUnavailableText?: string
  showAgentAvailability?: boolean
  requireEmailUpfront?: boolean
  language?: string
  customer?: ParleyCustomer
  /** A token signed by the website's back end that proves who `customer` is. */
  identityToken?: string
  position?: 'left' | 'right' | { side?: 'left' | 'right'; offset?: number }
  /** By default above everything on the page. */
  zIndex?: number
  defaultIsOpen?: boolean
  isOpenByDefault?: boolean
  persistOpenState?: boolean
  hideToggleButton?: boolean
  hideOutsideWorkingHours?: boolean
  /** Shows the greeting beside the button; a number is a delay in milliseconds. */
  popUpInitialMessage?: boolean | number
  iconVariant?: 'outlined' | 'filled'
  customIconUrl?: string
  styles?: { chatContainer?: Style; toggleContainer?: Style; toggleButton?: Style }
  /** Accepted and ignored: nothing is tracked. */
  disableAnalyticsTracking?: boolean
  debug?: boolean
  onChatLoaded?: (chat: ParleyHandle) => void
  onChatOpened?: () => void
  onChatClosed?: () => void
  onMessageSent?: (message: ParleyMessage) => void
  onMessageReceived?: (message: ParleyMessage) => void
}

export interface ParleyHandle {
  open: () => void
  close: () => void
  identify: (customer: ParleyCustomer, identityToken?: string) => void
}

export interface ParleyEvents {
  /** The button is shown, or the chat can be opened where there is no button. */
  ready: ParleyHandle
  open: undefined
  close: undefined
  /** How many messages the visitor has not seen. */
  unread: number
  'message:sent': ParleyMessage
  'message:received': ParleyMessage
  /** The server refused the signed token. Create a new one and call `identify` again. */
  'identity:refused': undefined
}

type Listening = {
  [Name in keyof ParleyEvents]: [command: 'on' | 'off', event: Name, listener: (payload: ParleyEvents[Name]) => void]
}[keyof ParleyEvents]

export type ParleyCommand =
  | [command: 'boot', config?: ParleyConfig]
  | [command: 'update', changes: ParleyConfig]
  | [command: 'identify', customer: ParleyCustomer, identityToken?: string]
  | [command: 'open' | 'close' | 'toggle' | 'show' | 'hide' | 'shutdown']
  | Listening

/** `window.Parley`. Until the script has loaded, the snippet's stub queues calls in `q`. */
export interface Parley {
  (...command: ParleyCommand): void
  q?: ArrayLike<unknown>[]
  config?: ParleyConfig
}
