import type { Channel, Socket } from 'phoenix'

type Entries = Record<string, { metas: { user_id?: number }[] }>

/** Applies who came and who left to the keys of those present. Someone with two windows leaves with the last. */
export function changePresent(present: Entries, { joins, leaves }: { joins: Entries; leaves: Entries }): Entries {
  const changed = { ...present }
  for (const [key, { metas }] of Object.entries(joins)) {
    changed[key] = { metas: [...(changed[key]?.metas ?? []), ...metas] }
  }
  for (const [key, { metas }] of Object.entries(leaves)) {
    const left = changed[key]?.metas.slice(metas.length) ?? []
    if (left.length > 0) changed[key] = { metas: left }
    else delete changed[key]
  }
  return changed
}

/** Counts the agents who are online, on a socket that is there anyway. */
export function watchAgents(account_id: string, show: (count: number) => void) {
  let watched: Socket | undefined
  let channel: Channel | undefined
  let present: Entries = {}

  function keep(next: Entries) {
    present = next
    show(Object.values(present).filter(({ metas }) => metas[0]?.user_id).length)
  }

  return {
    /** Undefined stops watching. */
    watch(socket: Socket | undefined) {
      if (socket === watched) return
      channel?.leave()
      watched = socket
      channel = socket?.channel(`room:${account_id}`, {})
      channel?.on('presence_state', keep)
      channel?.on('presence_diff', (diff: { joins: Entries; leaves: Entries }) => keep(changePresent(present, diff)))
      channel?.join()
    },
  }
}
