import type { QueryClient } from '@tanstack/react-query'
import { needsServer } from '#contract/conversations/view-membership.ts'
import type { ClientEvent } from '#contract/events.ts'
import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { conversationKeys } from '../conversations/keys.ts'
import type { View } from '../conversations/views.ts'
import { viewKeys } from './keys.ts'

/** Late enough for what the server derives from an event, such as who waits for whom. */
const FIRST_WAIT_MS = 1_500
/** A busy account has an event every moment; counting is dearer than looking at a kept counter. */
const AT_MOST_EVERY_MS = 10_000

/** Events after which a conversation may enter or leave a view. */
const MOVING = new Set<ClientEvent['event']>([
  'shout',
  'message:updated',
  'message:deleted',
  'messages:moved',
  'conversation:created',
  'conversation:updated',
  'conversation:tagged',
  'conversation:destroyed',
  'conversations:moved',
  'customer:updated',
  'company:updated',
  'company:deleted',
])

/**
 * Lists follow events by themselves where they can tell what belongs in them. Numbers, and lists of which only the server
 * knows, are fetched again, at most every ten seconds.
 */
export const viewEvents: FeatureEvents = {
  apply: (client, { event }) => {
    if (MOVING.has(event)) refreshSoon(client)
  },
  invalidates: {
    'conversation_views:updated': [viewKeys.all, viewKeys.counts],
    // Views name what no longer exists.
    'tag:deleted': [viewKeys.all, viewKeys.counts],
    'team:deleted': [viewKeys.all, viewKeys.counts],
    'inbox:deleted': [viewKeys.all, viewKeys.counts],
    'attribute_definitions:updated': [viewKeys.all],
    'user:updated': [viewKeys.all],
  },
}

let refreshedAt = 0
let timer: ReturnType<typeof setTimeout> | undefined

function refreshSoon(client: QueryClient) {
  if (timer) return
  const wait = Math.max(FIRST_WAIT_MS, refreshedAt + AT_MOST_EVERY_MS - Date.now())
  timer = setTimeout(() => {
    timer = undefined
    refreshedAt = Date.now()
    void client.invalidateQueries({ queryKey: viewKeys.counts })
    void client.invalidateQueries({
      queryKey: conversationKeys.views,
      predicate: ({ queryKey }) => isOnlyKnownToServer(queryKey[2] as View),
    })
  }, wait)
}

function isOnlyKnownToServer({ saved }: View): boolean {
  return !!saved && needsServer(saved.conditions)
}
