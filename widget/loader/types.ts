// The programming interface of `widget.js`, as types. No byte of this file ships.

/** Who the visitor is, as far as the website knows. Other keys that the contract lists are taken along. */
export interface ParleyCustomer {
  /** The website's own id of this person. */
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

/** What is told to `onMessageSent` and `onMessageReceived`. */
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
  /** The id of the inbox; without it conversations arrive in the primary one. */
  inbox?: string
  /** Where Parley answers. Without it: where the script came from. */
  baseUrl?: string
  /** Understood for the sake of old pages; the frame always comes from `baseUrl`. */
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
  /** Above the page's own layers, unless they need to be above the chat. */
  zIndex?: number
  defaultIsOpen?: boolean
  isOpenByDefault?: boolean
  persistOpenState?: boolean
  hideToggleButton?: boolean
  hideOutsideWorkingHours?: boolean
  /** Shows the greeting beside the button; a number waits so many milliseconds first. */
  popUpInitialMessage?: boolean | number
  iconVariant?: 'outlined' | 'filled'
  customIconUrl?: string
  styles?: { chatContainer?: Style; toggleContainer?: Style; toggleButton?: Style }
  /** Nothing is tracked, so this changes nothing. */
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
  /** The button stands, or the chat can be opened where there is none. */
  ready: ParleyHandle
  open: undefined
  close: undefined
  /** How many messages the visitor has not seen. */
  unread: number
  'message:sent': ParleyMessage
  'message:received': ParleyMessage
  /** The server did not take the signed token. Make a new one and call `identify` again. */
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

/** `window.Parley`. Before the script is there, the snippet's stub keeps the calls in `q`. */
export interface Parley {
  (...command: ParleyCommand): void
  q?: ArrayLike<unknown>[]
  config?: ParleyConfig
}
