import { declareChannel, ping } from '../../../channel.ts'
import type { Context } from '../../../context.ts'
import { isTeamOf } from '../../../platform/caller.ts'
import { type ChannelDefinition, Refused } from '../../../platform/realtime/channel.ts'
import { topicKey } from '../../../platform/realtime/topic-key.ts'

const topicOf = (account_id: string) => `functions:${account_id}`

/** Notifies admins viewing a function that a run was queued, started or finished. They fetch the details themselves. */
export async function notifyOfRuns({ realtime }: Context, account_id: string, function_id: string): Promise<void> {
  await realtime.broadcast(topicKey(account_id, topicOf(account_id)), 'functions:ran', { function_id })
}

export function functionChannels(): ChannelDefinition[] {
  const runs = declareChannel('functions:{account_id}', async ({ caller, params }) => {
    if (!isTeamOf(params.account_id, caller) || caller.role !== 'admin') throw new Refused({ reason: 'unauthorized' })
    return { account_id: caller.account_id, on: { ping } }
  })
  return [runs]
}
