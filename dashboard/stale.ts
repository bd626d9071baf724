import type { QueryClient } from '@tanstack/react-query'
import type { HeardEvent } from '#contract/events.ts'

type Key = readonly string[]

const PEOPLE: Key = ['customers', 'list']
const PERSON: Key = ['customers', 'one']
const COMPANIES: Key = ['companies']
const TAGS: Key = ['tags']
const ISSUES: Key = ['issues']
const NOTES: Key = ['notes']
const TALKS: Key = ['conversations', 'of']

/** Lists in pages, of which only the server knows what belongs into them after an event. */
const STALE: Partial<Record<HeardEvent['event'], readonly Key[]>> = {
  shout: [TALKS],
  'conversation:created': [TALKS],
  'conversation:updated': [TALKS],
  'conversation:tagged': [TALKS, TAGS],
  'conversations:moved': [TALKS, PEOPLE, PERSON, NOTES],
  'customer:updated': [PEOPLE],
  'customer:deleted': [PEOPLE, PERSON, NOTES],
  'customer:tagged': [PEOPLE, TAGS],
  'company:updated': [COMPANIES, PEOPLE],
  'company:deleted': [COMPANIES, PEOPLE],
  'tag:updated': [TAGS, PEOPLE],
  'tag:deleted': [TAGS, PEOPLE],
  'note:created': [NOTES],
  'note:updated': [NOTES],
  'note:deleted': [NOTES],
  'issue:created': [ISSUES],
  'issue:updated': [ISSUES],
  'issue:deleted': [ISSUES],
  'issue:linked': [PEOPLE],
  'issue:unlinked': [PEOPLE],
}

/** A busy account says many things in a row; a list is asked for once for all of them. */
const WAIT_MS = 400

const waiting = new Map<string, Key>()
let _timer: ReturnType<typeof setTimeout> | undefined

/** Asks again for the lists on screen that an event may have changed. What is shown stays until the answer is there. */
export function hearStale(client: QueryClient, event: HeardEvent) {
  const keys = STALE[event.event]
  if (!keys) return
  for (const key of keys) waiting.set(key.join(' '), key)
  const customer_id = customerWithConversation(event)
  if (customer_id) waiting.set(`open ${customer_id}`, ['conversations', 'open-count', customer_id])
  _timer ??= setTimeout(() => {
    _timer = undefined
    const asked = [...waiting.values()]
    waiting.clear()
    for (const queryKey of asked) void client.invalidateQueries({ queryKey })
  }, WAIT_MS)
}

/** Whose count of open conversations an event may have changed. */
function customerWithConversation(event: HeardEvent): string | undefined {
  if (event.event === 'conversation:updated') return event.payload.updates.customer_id
  return event.event === 'conversation:created' ? event.payload.conversation?.customer_id : undefined
}
