interface PreviewFrame {
  base: string
  account_id: string
  inbox_id?: string | undefined
  /** Shows a sample conversation. */
  isSample?: boolean | undefined
  /** What is written in it is a test. */
  test_token?: string | undefined
}

/** The version of pages that report when they open and close the chat window. */
const VERSION = '2.0.0'
/** The preview is in English, whatever the website's language. */
const LANGUAGE = 'en'

/** Empty saved settings, so that the window does not fetch any: everything comes from the appearance. */
const SAVED = JSON.stringify({ account: {} })

/** The address of a chat window that gets its whole appearance from the address. */
export function writeFrameAddress(frame: PreviewFrame, appearance: Record<string, string | boolean>): string {
  const query = new URLSearchParams({ token: frame.account_id, version: VERSION, language: LANGUAGE, saved: SAVED })
  if (frame.inbox_id) query.set('inbox', frame.inbox_id)
  if (frame.isSample) query.set('sample', '1')
  if (frame.test_token) query.set('test', frame.test_token)
  for (const [name, value] of Object.entries(appearance))
    query.set(name, typeof value === 'boolean' ? flag(value) : value)
  return `${frame.base}/chat?${query}`
}

function flag(on: boolean): string {
  return on ? '1' : '0'
}

export function sendToChat(frame: HTMLIFrameElement | null, origin: string, event: string, payload: object) {
  frame?.contentWindow?.postMessage({ event, payload }, origin)
}
