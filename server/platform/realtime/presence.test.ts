import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keyOf } from '#tests/support/bakery.ts'
import { MemoryBus } from './memory-bus.ts'
import { Presence } from './presence.ts'
import { type PresenceEntry, type PresenceState, toState, writeAll, writeChange } from './presence-entries.ts'
import type { PresenceStore } from './presence-store.ts'

const SHOP = keyOf('shop:1')

function entry(node: string, key: string, phx_ref = `${node}-${key}`): PresenceEntry {
  return { topic: SHOP, node, key, meta: { phx_ref } }
}

/** A node between a store that answers on command and clients that record what they receive. */
function someNode() {
  const loads: PromiseWithResolvers<PresenceEntry[]>[] = []
  const beats = { alive: new Set<string>(), lapsed: false }
  const sent: string[] = []
  const repairs: (() => void)[] = []
  const store: PresenceStore = {
    write: () => undefined,
    load: () => {
      const load = Promise.withResolvers<PresenceEntry[]>()
      loads.push(load)
      return load.promise
    },
    beat: async () => ({ ...beats }),
    rewrite: async () => [],
    leave: async () => undefined,
  }
  const bus = Object.assign(new MemoryBus(), { onGap: (repair: () => void) => void repairs.push(repair) })
  let isWatched = true
  const presence = new Presence({
    bus,
    store,
    log: pino({ level: 'silent' }),
    isWatched: () => isWatched,
    send(_topic, _event, diff) {
      const { joins, leaves } = diff as Record<'joins' | 'leaves', PresenceState>
      sent.push(...Object.keys(joins).map((key) => `${key} came`), ...Object.keys(leaves).map((key) => `${key} went`))
    },
  })
  const receive = (message: string) => presence.receive(SHOP, message)
  return {
    presence,
    beats,
    sent,
    receives: {
      coming: (...joins: PresenceEntry[]) => receive(writeChange(joins[0]!.node, { joins, leaves: [] })),
      going: (...leaves: PresenceEntry[]) => receive(writeChange(leaves[0]!.node, { joins: [], leaves })),
      all: (node: string, entries: PresenceEntry[]) => receive(writeAll(node, entries)),
    },
    /** Lists the keys; `meanwhile` runs before the store answers with `stored`. */
    async keys(stored: PresenceEntry[], meanwhile = () => undefined as unknown): Promise<string[]> {
      const before = loads.length
      const listed = presence.list(SHOP)
      meanwhile()
      loads[before]?.resolve(stored)
      return Object.keys(await listed).sort()
    },
    watch(watched: boolean) {
      isWatched = watched
      if (!watched) presence.unwatch(SHOP)
    },
    gap: () => repairs.forEach((repair) => void repair()),
  }
}

describe('presence of other nodes', () => {
  it('that ends while the store is read is not restored by it', async () => {
    const { keys, receives } = someNode()
    const stored = [entry('b', 'Ada'), entry('b', 'Ben')]
    expect(await keys(stored, () => receives.going(entry('b', 'Ada')))).toEqual(['Ben'])
  })

  it('that begins while the store is read is retained, and counted once when the store has it too', async () => {
    const { presence, keys, receives } = someNode()
    const cleo = entry('b', 'Cleo')
    expect(await keys([entry('b', 'Ada')], () => receives.coming(cleo))).toEqual(['Ada', 'Cleo'])
    expect(await presence.list(SHOP)).toEqual(toState([cleo, entry('b', 'Ada')]))
  })

  it('that a node sent again while the store is read replaces what the store has of that node', async () => {
    const { keys, receives } = someNode()
    const stored = [entry('b', 'Ada'), entry('c', 'Ben')]
    expect(await keys(stored, () => receives.all('b', [entry('b', 'Cleo')]))).toEqual(['Ben', 'Cleo'])
  })

  it('is sent to clients once, however often it is received', async () => {
    const { sent, receives } = someNode()
    const ada = entry('b', 'Ada')
    receives.coming(ada)
    receives.coming(ada)
    receives.all('b', [ada])
    receives.going(ada)
    receives.going(ada)
    receives.all('b', [])
    expect(sent).toEqual(['Ada came', 'Ada went'])
  })

  it('that changed while messages were missed is loaded again, and clients are sent the difference', async () => {
    const { keys, sent, gap, beats } = someNode()
    beats.alive.add('b')
    expect(await keys([entry('b', 'Ada'), entry('b', 'Ben')])).toEqual(['Ada', 'Ben'])
    expect(sent).toEqual([])
    gap()
    expect(await keys([entry('b', 'Ben'), entry('b', 'Cleo')])).toEqual(['Ben', 'Cleo'])
    expect(sent).toEqual(['Cleo came', 'Ada went'])
  })

  it('is dropped while no client is on the topic, unlike that of this node', async () => {
    const { presence, keys, receives, watch } = someNode()
    presence.track(SHOP, 'Own', {}, { isOpen: true, tracked: null })
    receives.coming(entry('b', 'Ada'))
    watch(false)
    expect(await keys([entry('b', 'Ben')])).toEqual(['Ben', 'Own'])
    watch(true)
    expect(await keys([entry('b', 'Cleo')])).toEqual(['Cleo', 'Own'])
  })

  it('is not tracked for a closed channel', async () => {
    const { presence, keys } = someNode()
    presence.track(SHOP, 'Late', {}, { isOpen: false, tracked: null })
    expect(await keys([])).toEqual([])
  })
})

describe('a node without heartbeats', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const nextBeat = () => vi.advanceTimersByTimeAsync(2_600)

  it('loses its entries at the next heartbeat, and those of its late messages, too', async () => {
    const { sent, receives, beats } = someNode()
    beats.alive = new Set(['b', 'c'])
    receives.coming(entry('b', 'Ada'))
    receives.coming(entry('c', 'Ben'))
    await nextBeat()
    beats.alive = new Set(['c'])
    await nextBeat()
    expect(sent).toEqual(['Ada came', 'Ben came', 'Ada went'])
    receives.coming(entry('b', 'Late'))
    await nextBeat()
    expect(sent.slice(3)).toEqual(['Late came', 'Late went'])
  })
})
