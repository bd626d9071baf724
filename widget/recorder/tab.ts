const KEY = 'parley:storytime'
const REFUSED = 'parley:storytime:refused'
/** How long to wait for another tab to claim the same token. */
const ANSWER_MS = 60

/** Pages may forbid storage; then each page is its own session. */
function stored(key: string, value?: string): string | null {
  try {
    if (value) sessionStorage.setItem(key, value)
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** The visitor has stopped the recording in this tab. */
export const isRefused = () => !!stored(REFUSED)
export const storeRefusal = () => stored(REFUSED, '1')

/** The secret of this tab's session, which survives page loads. A duplicated tab gets its own. */
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

/** The key is shared with the chat and with published recorders. */
const CUSTOMER = '__PAPERCUPS____CUSTOMER_ID__'

/** The customer id that the chat or recorder of this website stored, if any. */
export function knownCustomer(): string | null {
  try {
    return JSON.parse(localStorage.getItem(CUSTOMER)!)
  } catch {
    return null
  }
}

/** Stores the customer for the next page, and announces it to a published chat on this page. */
export function storeCustomer(id: string) {
  try {
    localStorage.setItem(CUSTOMER, JSON.stringify(id))
  } catch {}
  dispatchEvent(new CustomEvent('storytime:customer:set', { detail: id }))
}
