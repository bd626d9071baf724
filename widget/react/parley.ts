import type { Parley, ParleyCommand } from '../loader/types.ts'

declare global {
  interface Window {
    /** Commands for the chat; before its script is there, they wait. */
    Parley?: Parley
  }
}

/** Puts the script on the page, once, and a stand-in that keeps commands until it has come. */
export function load(baseUrl: string): void {
  if (window.Parley) return
  const waiting: ArrayLike<unknown>[] = []
  window.Parley = Object.assign((...command: ParleyCommand) => void waiting.push(command), { q: waiting })
  const script = document.createElement('script')
  script.src = `${baseUrl.replace(/\/+$/, '')}/widget.js`
  script.async = true
  document.head.append(script)
}

/** Says something to the chat, such as `call('open')`. On a server, and before there is a chat, nothing happens. */
export function call(...command: ParleyCommand): void {
  if (typeof window !== 'undefined') window.Parley?.(...command)
}
