import type { Parley, ParleyCommand, ParleyConfig, ParleyCustomer } from '../loader/types.ts'

declare global {
  interface Window {
    /** Commands for the chat; before its script is there, they wait. */
    Parley?: Parley
  }
}

/** Where a chat is, in a component's properties: `baseUrl` is where Parley answers, since no script tag tells. */
export type LoadOptions = ParleyConfig & { baseUrl: string }

/** Puts the script on the page, once, and a stand-in that keeps commands until it has come. */
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

/** Says something to the chat, such as `call('open')`. On a server, and before there is a chat, nothing happens. */
export function call(...command: ParleyCommand): void {
  if (typeof window !== 'undefined') window.Parley?.(...command)
}

/** The names of the published package. */
export const open = () => call('open')
export const close = () => call('close')
export const toggle = () => call('toggle')
/** Says who is there; there it did nothing. A token that the website's back end has signed proves it. */
export const identify = (customer: ParleyCustomer, identityToken?: string) => call('identify', customer, identityToken)
export const Papercups = { open, close, toggle }
