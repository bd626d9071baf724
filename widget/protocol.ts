/** What goes between the page and the chat window: `{event, payload}` in both directions, by the published names. */
export interface Envelope {
  event: string
  payload?: unknown
}

/** Sent by our loader, so that the chat window knows it will be told when it is opened and closed. */
export const PROTOCOL_VERSION = '2.0.0'

/** The color when neither the page nor the settings name one. */
export const DEFAULT_COLOR = 'rgb(13, 95, 122)'

/**
 * Tells the page whether the chat window has something to wait for, an answer or an unsent message, so that the next
 * page of the site starts it without a click. Payload `{isNeeded}`.
 */
export const NEEDED = 'parley:needed'

/**
 * Tells the page that the closed chat window has drawn a card (an unseen message, or the greeting after
 * `notifications:display`) and how tall it is, so that the page makes room. Payload `{height}` in pixels, 0 for none.
 */
export const CARD = 'parley:card'

/** Tells the page that the server did not take its signed token: it is forged, over, or of somebody else. */
export const IDENTITY_REFUSED = 'parley:identity-refused'

/** In the frame's address: whoever was here has gone, so everything kept is wiped before anything is shown. */
export const FRESH = 'fresh'

/** An envelope, if that is what came. Anyone may post anything to a window. */
export function readEnvelope(said: unknown): Envelope | undefined {
  const { event } = Object(said)
  return typeof event === 'string' ? (said as Envelope) : undefined
}

/** A payload as a record, whatever was sent. */
export function fieldsOf(payload: unknown): Record<string, unknown> {
  return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {}
}
