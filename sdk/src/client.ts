import { type Call, createSend, type Options, type Send, type Settings } from './call.ts'
import { type EventsPage, type Following, iterateEvents, type WithCursor } from './events.ts'
import { type Page, pagesOf } from './pages.ts'

/** How each call of each resource is made. */
export type Calls = Record<string, Record<string, Call>>

/** The resources that a client needs for more than passing them on. */
interface Needed {
  users: { me(options?: Options): Promise<unknown> }
  events: { page(input?: { after?: string }, options?: Options): Promise<EventsPage> }
}

/** A client with the resources of `Api`, which the build writes from the contract. */
export type Client<Api extends Needed> = Omit<Api, 'events'> & {
  /** The user whom the key belongs to. */
  me: Api['users']['me']
  /** All events in order, until you stop iterating: `for await (const event of parley.events({ after }))`. */
  events(following?: Following): AsyncGenerator<WithCursor<Awaited<ReturnType<Api['events']['page']>>['data'][number]>>
  /** The current end of the event log: new events come after this cursor. */
  eventsNow(): Promise<{ cursor: string }>
}

/** Creates a client of `calls`, whose types are those of `Api`. No request is made before the first call. */
export function createClient<Api extends Needed>(calls: Calls, settings: Settings = {}): Client<Api> {
  const send = createSend(settings)
  const resources = Object.entries(calls).map(([resource, methods]) => [
    resource,
    Object.fromEntries(Object.entries(methods).map(([name, call]) => [name, methodOf(send, call)])),
  ])
  const { events, ...api } = Object.fromEntries(resources) as Api
  const fetchEvents = (after: string | undefined, signal: AbortSignal | undefined) =>
    events.page({ ...(after !== undefined && { after }) }, { ...(signal && { signal }) }) as ReturnType<
      Api['events']['page']
    >
  return {
    ...api,
    me: api.users.me,
    events: (following) => iterateEvents(fetchEvents, following),
    eventsNow: () => fetchEvents(undefined, undefined),
  }
}

/** A call as a function of its path parameters, input and options. */
function methodOf(send: Send, call: Call) {
  const [, path, takes, , gives] = call
  const count = path.split('{').length - 1
  return (...args: unknown[]) => {
    const parameters = args.slice(0, count).map(String)
    const [input, options] = takes ? args.slice(count) : [undefined, args[count]]
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
