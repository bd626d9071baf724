import { isId } from '#contract/wire.ts'
import { declareChannel } from '../../channel.ts'
import type { Context } from '../../context.ts'
import type { ChannelDefinition } from '../../platform/realtime/channel.ts'
import { customerChannel, lobbyChannel } from './customer-channel.ts'
import { teamChannel } from './team-channel.ts'

export function conversationChannels(context: Context): ChannelDefinition[] {
  return [roomChannel(context), silentChannel(), lobbyChannel(context), customerChannel(context), teamChannel(context)]
}

function roomChannel({ realtime }: Context) {
  return declareChannel('room:{account_id}', async ({ params, channel: joined }) => ({
    account_id: isId(params.account_id) ? params.account_id : null,
    // The presence helper of published clients ignores diffs until it has received the state after its join.
    joined: () => realtime.presence.pushState(joined),
  }))
}

function silentChannel() {
  return declareChannel('conversation:lobby', async () => ({ account_id: null }))
}
