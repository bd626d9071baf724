import { setTimeout as sleep } from 'node:timers/promises'
import { type ChannelDefinition, defineChannel, Refused } from '#server/platform/realtime/channel.ts'
import type { Realtime } from '#server/platform/realtime/realtime.ts'
import { topicKey } from '#server/platform/realtime/topic-key.ts'

/** What happened on the server, in order. */
export type Diary = string[]

/** The account of all topics. */
const BAKERY = 'bakery'

/** The key for broadcasts to a topic of clients. */
export const keyOf = (topic: string) => topicKey(BAKERY, topic)

/**
 * A fictional business to test sockets with. `shop:{shop_id}` admits everyone, also from other accounts, and announces
 * who is in; `oven:{oven_id}` behaves as the payload of the join says, also badly; `oven:cold` and `oven:hot:{oven_id}`
 * show which pattern won.
 */
export function bakery(realtime: Realtime, diary: Diary = []): ChannelDefinition[] {
  return [shop(realtime), oven(diary), broken(realtime), patternOven('oven:cold'), patternOven('oven:hot:{oven_id}')]
}

function shop(realtime: Realtime) {
  return defineChannel('shop:{shop_id}', async ({ payload, channel }) => ({
    account_id: typeof payload.account_id === 'string' ? payload.account_id : BAKERY,
    on: {
      async order({ cake }) {
        await realtime.broadcast(channel.key, 'ordered', { cake })
        return undefined
      },
      async whisper({ secret }) {
        await realtime.broadcast(channel.key, 'whispered', { secret }, { except: channel })
        return undefined
      },
      async move({ place }) {
        realtime.presence.track(channel.key, String(payload.name), { place }, channel)
        return undefined
      },
      async who() {
        return realtime.presence.list(channel.key)
      },
      async dismiss() {
        channel.close()
        return undefined
      },
    },
    async joined() {
      if (typeof payload.name === 'string')
        realtime.presence.track(channel.key, payload.name, { place: 'door' }, channel)
      await realtime.presence.pushState(channel)
    },
  }))
}

function oven(diary: Diary) {
  return defineChannel('oven:{oven_id}', async ({ payload, params, channel }) => {
    if (typeof payload.delay === 'number') await sleep(payload.delay)
    if (payload.refuse) throw new Refused({ reason: 'too hot', oven: params.oven_id })
    if (payload.crash) throw new Error('The oven is on fire.')
    diary.push(`join ${channel.topic}`)
    return {
      account_id: BAKERY,
      ...(payload.large === true && { carriesLargeFrames: true as const }),
      on: {
        async bake(order) {
          if (typeof order.delay === 'number') await sleep(order.delay)
          diary.push(`bake ${order.bread}`)
          return { baked: order.bread }
        },
        async burn() {
          throw new Error('Burnt.')
        },
        async overfill() {
          throw new Refused({ reason: 'full' })
        },
        async echo(order) {
          return order
        },
        async riddle() {
          return { answer: 42n }
        },
      },
      left: () => void diary.push(`leave ${channel.topic}`),
    }
  })
}

/**
 * Crashes after the first join; later only starts slowly. What it sends before the reply to the join is not received.
 */
function broken(realtime: Realtime) {
  let joins = 0
  return defineChannel('mixer:{mixer_id}', async ({ channel }) => {
    channel.push('too early', {})
    await realtime.broadcast(channel.key, 'too early', {})
    return {
      account_id: BAKERY,
      on: { mix: async () => ({ mixed: true }) },
      async joined() {
        if (++joins === 1) throw new Error('The mixer jammed.')
        await sleep(100)
        channel.push('warm', {})
      },
    }
  })
}

function patternOven(pattern: 'oven:cold' | 'oven:hot:{oven_id}') {
  return defineChannel(pattern, async () => ({ account_id: BAKERY, on: { which: async () => ({ pattern }) } }))
}
