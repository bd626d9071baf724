import type { QueryClient } from '@tanstack/react-query'
import type { HeardEvent } from '#contract/events.ts'

type Key = readonly string[]

const PEOPLE: Key = ['customers', 'list']
const PERSON: Key = ['customers', 'one']
const FILTERS: Key = ['customer-filters']
const IMPORTS: Key = ['customer-imports']
const COMPANIES: Key = ['companies']
const TAGS: Key = ['tags']
const TAG_COUNTS: Key = ['tags', 'counted']
const TAG: Key = ['tags', 'one']
const ISSUES: Key = ['issues']
const NOTES: Key = ['notes']
const TALKS: Key = ['conversations', 'of']
const PROFILE: Key = ['profile']
const FOUND: Key = ['search']

/** Lists in pages, of which only the server knows what belongs into them after an event. */
const STALE: Partial<Record<HeardEvent['event'], readonly Key[]>> = {
  shout: [TALKS],
  'message:updated': [TALKS, FOUND],
  'message:deleted': [TALKS, FOUND],
  'conversation:created': [TALKS],
  // One that is deleted counts no longer.
  'conversation:updated': [TALKS, TAG_COUNTS, TAG],
  'conversation:tagged': [TALKS, TAGS],
  'conversations:moved': [TALKS, PEOPLE, PERSON, NOTES],
  // Whose name stands beside what they said and what was noted, and whose company says which conversations it has.
  'customer:updated': [PEOPLE, TALKS, NOTES],
  'customer:deleted': [PEOPLE, PERSON, TALKS, NOTES, TAGS],
  'customer:tagged': [PEOPLE, TAGS],
  'customer_filter:updated': [FILTERS],
  'customer_filter:deleted': [FILTERS],
  // Nobody is told of thousands of customers one by one.
  'customer_import:updated': [IMPORTS, PEOPLE, PERSON, TALKS, NOTES],
  'company:updated': [COMPANIES, PEOPLE],
  'company:deleted': [COMPANIES, PEOPLE],
  // Who wrote a note, or spoke last.
  'user:updated': [PERSON, NOTES, TALKS, PROFILE],
  'tag:updated': [TAGS, PEOPLE, TALKS],
  'tag:deleted': [TAGS, PEOPLE, TALKS],
  'note:created': [NOTES],
  'note:updated': [NOTES],
  'note:deleted': [NOTES],
  'issue:created': [ISSUES],
  'issue:updated': [ISSUES],
  'issue:deleted': [ISSUES, PEOPLE],
  'issue:linked': [PEOPLE],
  'issue:unlinked': [PEOPLE],
}

/** A busy account says many things in a row; a list is asked for once for all of them. */
const WAIT_MS = 400
/** One that does not answer holds up the others for so long at most. */
const LONGEST_MS = 5_000

const waiting = new Map<string, Key>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Asks again for the lists on screen that an event may have changed. What is shown stays until the answer is there. */
export function invalidateAfter(client: QueryClient, event: HeardEvent) {
  const keys = STALE[event.event]
  if (!keys) return
  for (const key of keys) waiting.set(key.join(' '), key)
  for (const customer_id of customersWithConversation(event)) {
    waiting.set(`open ${customer_id}`, ['conversations', 'open-count', customer_id])
  }
  if (timer) return
  timer = setTimeout(() => askAgain(client), WAIT_MS)
}

/** The next round waits for the answers of this one: else what is slow to answer would be broken off again and again. */
async function askAgain(client: QueryClient) {
  const asked = [...waiting.values()].map((queryKey) => client.invalidateQueries({ queryKey }))
  waiting.clear()
  await Promise.race([Promise.all(asked), new Promise((done) => setTimeout(done, LONGEST_MS))])
  timer = waiting.size > 0 ? setTimeout(() => askAgain(client), WAIT_MS) : undefined
}

/** Whose count of open conversations an event may have changed. */
function customersWithConversation({ event, payload }: HeardEvent): string[] {
  if (event === 'conversation:updated') return [payload.updates.customer_id]
  if (event === 'conversation:created') return payload.conversation ? [payload.conversation.customer_id] : []
  return event === 'conversations:moved' ? [payload.customer.id, payload.from_customer_id] : []
}
