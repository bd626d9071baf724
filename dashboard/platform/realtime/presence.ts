import { createStore, useStore } from '../store.ts'

type Metas = { metas: { phx_ref?: string; viewing?: string | null }[] }
/** Connections by key: `user:{id}` or `customer:{id}`. */
export type PresenceMap = Readonly<Record<string, Metas>>
export interface PresenceDiff {
  joins: Record<string, Metas>
  leaves: Record<string, Metas>
}

/** Applies a presence diff. Somebody with two tabs stays until both are closed. */
export function applyDiff(presence: PresenceMap, { joins, leaves }: PresenceDiff): PresenceMap {
  const next: Record<string, Metas> = { ...presence }
  for (const [key, { metas }] of Object.entries(joins)) {
    const refs = new Set(metas.map((meta) => meta.phx_ref))
    const others = (next[key]?.metas ?? []).filter((meta) => !refs.has(meta.phx_ref))
    next[key] = { metas: [...others, ...metas] }
  }
  for (const [key, { metas }] of Object.entries(leaves)) {
    const refs = new Set(metas.map((meta) => meta.phx_ref))
    const remaining = (next[key]?.metas ?? []).filter((meta) => !refs.has(meta.phx_ref))
    if (remaining.length > 0) next[key] = { metas: remaining }
    else delete next[key]
  }
  return next
}

const presence = createStore<PresenceMap>({})

export const setPresence = presence.set

export function changePresence(diff: PresenceDiff) {
  presence.set(applyDiff(presence.get(), diff))
}

/** Whether a customer has a chat window open. */
export function useCustomerOnline(customer_id: string): boolean {
  return useStore(presence, (map) => Object.hasOwn(map, `customer:${customer_id}`))
}

/** Ids of the users who are connected. */
export function useUsersOnline(): ReadonlySet<number> {
  // Joined to a string, because the store compares by identity.
  const text = useStore(presence, (map) =>
    Object.keys(map)
      .filter((key) => key.startsWith('user:'))
      .sort()
      .join(),
  )
  return new Set(text.split(',').map((key) => Number(key.slice('user:'.length))))
}

/** Users who have a conversation on screen, in a fixed order. */
export function viewersOf(presence: PresenceMap, conversation_id: string): number[] {
  return Object.entries(presence)
    .filter(([key, { metas }]) => key.startsWith('user:') && metas.some(({ viewing }) => viewing === conversation_id))
    .map(([key]) => Number(key.slice('user:'.length)))
    .sort((a, b) => a - b)
}

/** Who has a conversation on screen, including this user. */
export function useViewers(conversation_id: string): number[] {
  // Joined to a string, because the store compares by identity.
  const text = useStore(presence, (map) => viewersOf(map, conversation_id).join())
  return text ? text.split(',').map(Number) : []
}
