/** Messages between the page and the chat window: `{event, payload}` in both directions, with the published names. */
export interface Envelope {
  event: string
  payload?: unknown
}

/** Sent by our loader: tells the chat window that this page reports when the window opens and closes. */
export const PROTOCOL_VERSION = '2.0.0'

/** The color when neither the page nor the settings name one. */
export const DEFAULT_COLOR = 'rgb(13, 95, 122)'

/**
 * Tells the page whether the chat window has a conversation or an unsent message, so that the next page of the site
 * loads it without a click. Payload `{isNeeded}`.
 */
export const NEEDED = 'parley:needed'

/**
 * Tells the page that the closed chat window shows a card (an unseen message, or the greeting after
 * `notifications:display`). Payload `{height}` in pixels, 0 for none.
 */
export const CARD = 'parley:card'

/** Tells the page that the server refused its signed token: it is invalid, expired or another person's. */
export const IDENTITY_REFUSED = 'parley:identity-refused'

/** A parameter of the frame's address: delete the data of the previous person before showing anything. */
export const FRESH = 'fresh'

/** The envelope, or undefined for anything else: any page may post messages to a window. */
export function readEnvelope(envelope: unknown): Envelope | undefined {
  const { event } = Object(envelope)
  return typeof event === 'string' ? (envelope as Envelope) : undefined
}

/** A payload as a record, whatever its type. */
export function fieldsOf(payload: unknown): Record<string, unknown> {
  return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {}
}
