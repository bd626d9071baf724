import { type Api, CALLS, type EventsPageAnswer } from './api.ts'
import { type Call, createSend, type Options, type Send, type Settings } from './call.ts'
import { type Following, follow, type ParleyEvent } from './events.ts'
import { type Page, pagesOf } from './pages.ts'

export * from './api.ts'
export type { Options, Settings } from './call.ts'
export * from './errors.ts'
export { CursorLost, type Following, type ParleyEvent } from './events.ts'
export type { Page, Pages } from './pages.ts'
export { verifyWebhook, type Webhook, type WebhookHeaders, WebhookVerificationError } from './webhooks.ts'

/** A Parley installation: its resources and events. */
export type Parley = Omit<Api, 'events'> & {
  /** The user whom the key belongs to. */
  me: Api['users']['me']
  /** All events in order, until you stop iterating: `for await (const event of parley.events({ after }))`. */
  events(following?: Following): AsyncGenerator<ParleyEvent>
  /** The current end of the event log: new events come after this cursor. */
  eventsNow(): Promise<Pick<EventsPageAnswer, 'cursor'>>
}

/** Creates a client. No request is made before the first call. */
export function createParley(settings: Settings = {}): Parley {
  const send = createSend(settings)
  const resources = Object.entries(CALLS).map(([resource, calls]) => [
    resource,
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, methodOf(send, call)])),
  ])
  const { events, ...api } = Object.fromEntries(resources) as Api
  const fetchEvents = (after: string | undefined, signal: AbortSignal | undefined): Promise<EventsPageAnswer> =>
    events.page({ ...(after !== undefined && { after }) }, { ...(signal && { signal }) })
  return {
    ...api,
    me: api.users.me,
    events: (following) => follow(fetchEvents, following),
    eventsNow: () => fetchEvents(undefined, undefined),
  }
}

/** A call as a function of its path parameters, input and options. */
function methodOf(send: Send, call: Call) {
  const [, path, takes, , gives] = call
  const count = path.split('{').length - 1
  return (...given: unknown[]) => {
    const parameters = given.slice(0, count).map(String)
    const [input, options] = takes ? given.slice(count) : [undefined, given[count]]
    const make = (more: object = {}) =>
      send(call, parameters, input || takes ? { ...(input as object), ...more } : undefined, options as Options)
    if (gives === 'pages') return pagesOf((after) => make({ ...(after && { after }) }) as Promise<Page<unknown>>)
    if (gives === 'numbered pages') return pagesOf((next) => make(pageOf(next)).then(numbered))
    return make()
  }
}

interface Numbered {
  data: unknown[]
  page_number: number
  total_pages: number
  /** Of lists in an order that does not change: a cursor, which is better than a number. */
  next?: string | null
}

const CURSOR = 'after:'

function numbered(answer: unknown): Page<unknown> {
  const { data, page_number, total_pages, next } = answer as Numbered
  if (next !== undefined) return { data, next: next && `${CURSOR}${next}` }
  return { data, next: page_number < total_pages ? String(page_number + 1) : null }
}

function pageOf(next: string | undefined): object {
  if (!next) return {}
  return next.startsWith(CURSOR) ? { after: next.slice(CURSOR.length) } : { page: next }
}
