const KEY = 'parley:storytime'
const REFUSED = 'parley:storytime:refused'
/** How long another tab may take to say that a token is its own. */
const ANSWER_MS = 60

/** Pages may forbid storage; then each page is a session. */
function stored(key: string, value?: string): string | null {
  try {
    if (value) sessionStorage.setItem(key, value)
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** The visitor has said in this tab that nobody is to watch. */
export const isRefused = () => !!stored(REFUSED)
export const noteRefusal = () => stored(REFUSED, '1')

/** The secret of this tab's session, which stays when a page is loaded. A copy of a tab gets one of its own. */
export async function tabToken(): Promise<string> {
  const channel = globalThis.BroadcastChannel && new BroadcastChannel(KEY)
  let token = stored(KEY)
  if (token && channel) {
    const isTaken = await new Promise((resolve) => {
      channel.onmessage = ({ data }) => data === `!${token}` && resolve(true)
      channel.postMessage(token)
      setTimeout(resolve, ANSWER_MS)
    })
    if (isTaken) token = null
  }
  token ??= btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(33)))).replace(/[+/]/g, '-')
  stored(KEY, token)
  if (channel) channel.onmessage = ({ data }) => data === token && channel.postMessage(`!${token}`)
  return token
}

/** Shared with the chat, and with published recorders. */
const CUSTOMER = '__PAPERCUPS____CUSTOMER_ID__'

/** The customer whom chat and recorder of this website know, if any. */
export function knownCustomer(): string | null {
  try {
    return JSON.parse(localStorage.getItem(CUSTOMER)!)
  } catch {
    return null
  }
}

/** Lets the next page know them, and a published chat beside. */
export function noteCustomer(id: string) {
  try {
    localStorage.setItem(CUSTOMER, JSON.stringify(id))
  } catch {}
  dispatchEvent(new CustomEvent('storytime:customer:set', { detail: id }))
}
