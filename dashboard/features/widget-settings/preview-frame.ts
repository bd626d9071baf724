interface PreviewFrame {
  base: string
  account_id: string
  inbox_id?: string | undefined
  /** With a conversation that was made up, instead of none. */
  isSample?: boolean | undefined
}

/** As old as a page that tells the chat window when it opens and closes it. */
const VERSION = '2.0.0'
/** The preview speaks the language of the screens' texts, whatever the website will say. */
const LANGUAGE = 'en'

/** Stands for saved settings, so that none are asked for: everything is said by the appearance. */
const SAVED = JSON.stringify({ account: {} })

/** The address of a chat window that is told everything and asks for nothing. */
export function writeFrameAddress(place: PreviewFrame, appearance: Record<string, string | boolean>): string {
  const query = new URLSearchParams({ token: place.account_id, version: VERSION, language: LANGUAGE, saved: SAVED })
  if (place.inbox_id) query.set('inbox', place.inbox_id)
  if (place.isSample) query.set('sample', '1')
  for (const [name, value] of Object.entries(appearance))
    query.set(name, typeof value === 'boolean' ? flag(value) : value)
  return `${place.base}/chat?${query}`
}

function flag(on: boolean): string {
  return on ? '1' : '0'
}

export function sendToChat(frame: HTMLIFrameElement | null, origin: string, event: string, payload: object) {
  frame?.contentWindow?.postMessage({ event, payload }, origin)
}
