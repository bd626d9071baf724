import type { Parley, ParleyCommand, ParleyConfig, ParleyCustomer } from '../loader/types.ts'

declare global {
  interface Window {
    /** Commands for the chat, queued until the script has loaded. */
    Parley?: Parley
  }
}

/** The configuration as props. `baseUrl` is required, because there is no script tag to read it from. */
export type LoadOptions = ParleyConfig & { baseUrl: string }

/** Adds the script to the page, once, with a stub that queues commands until it has loaded. */
export function load({ baseUrl, token, accountId, inbox }: LoadOptions): void {
  if (window.Parley) return
  const waiting: ArrayLike<unknown>[] = []
  window.Parley = Object.assign((...command: ParleyCommand) => void waiting.push(command), { q: waiting })
  const script = document.createElement('script')
  const query = `token=${token ?? accountId}${inbox ? `&inbox=${inbox}` : ''}`
  script.src = `${baseUrl.replace(/\/+$/, '')}/widget.js?${query}`
  script.async = true
  document.head.append(script)
}

/** Sends a command to the chat, such as `call('open')`. Does nothing on a server and before `load`. */
export function call(...command: ParleyCommand): void {
  if (typeof window !== 'undefined') window.Parley?.(...command)
}

/** Exports of the published package. */
export const open = () => call('open')
export const close = () => call('close')
export const toggle = () => call('toggle')
/**
 * Identifies the visitor; a token signed by the website's back end proves it. In the published package this does
 * nothing.
 */
export const identify = (customer: ParleyCustomer, identityToken?: string) => call('identify', customer, identityToken)
export const Papercups = { open, close, toggle }
