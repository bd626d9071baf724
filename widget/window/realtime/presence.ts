import type { InboxRef } from '../calls.ts'
import { Socket, type Topic } from './socket.ts'

type Entries = Record<string, { metas: { user_id?: number }[] }>

/** Applies a presence diff. Somebody with two windows leaves with the last one. */
export function changePresent(presence: Entries, { joins, leaves }: { joins: Entries; leaves: Entries }): Entries {
  const changed = { ...presence }
  for (const [key, { metas }] of Object.entries(joins)) {
    changed[key] = { metas: [...(changed[key]?.metas ?? []), ...metas] }
  }
  for (const [key, { metas }] of Object.entries(leaves)) {
    const remaining = changed[key]?.metas.slice(metas.length) ?? []
    if (remaining.length > 0) changed[key] = { metas: remaining }
    else delete changed[key]
  }
  return changed
}

/** Counts the agents who are online, over the visitor's socket if there is one, otherwise over a socket of its own. */
export function watchAgents({ account_id, inbox_id }: InboxRef, show: (count: number) => void) {
  let watched: Socket | undefined
  let own: Socket | undefined
  let topic: Topic | undefined
  let presence: Entries = {}

  function setPresent(next: Entries) {
    presence = next
    show(Object.values(presence).filter(({ metas }) => metas[0]?.user_id).length)
  }

  function openOwn(): Socket {
    own = new Socket({ account_id, inbox_id })
    return own
  }

  return {
    /** `socket` is the visitor's, if it exists. */
    watch(isWanted: boolean, socket: Socket | undefined) {
      const next = isWanted ? (socket ?? own ?? openOwn()) : undefined
      if (next === watched) return
      topic?.leave()
      if (own && next !== own) {
        own.close()
        own = undefined
      }
      watched = next
      topic = next
        ?.topic(`room:${account_id}`)
        .on('presence_state', setPresent)
        .on('presence_diff', (diff: { joins: Entries; leaves: Entries }) => setPresent(changePresent(presence, diff)))
    },
  }
}
