import { declareChannel } from '../../../channel.ts'
import type { Context } from '../../../context.ts'
import type { ChannelDefinition } from '../../../platform/realtime/channel.ts'
import { isAccount } from '../../accounts/accounts/accounts.ts'
import { customerChannel, lobbyChannel } from './customer-channel.ts'
import { teamChannel } from './team-channel.ts'

export function conversationChannels(context: Context): ChannelDefinition[] {
  return [roomChannel(context), silentChannel(), lobbyChannel(context), customerChannel(context), teamChannel(context)]
}

/**
 * Anybody may join, also by ids that were made up, which old clients of a deleted account do without end. For these
 * nothing is kept and nobody is present.
 */
function roomChannel({ db, realtime }: Context) {
  return declareChannel('room:{account_id}', async ({ params, channel: joined }) => {
    const account_id = (await isAccount(db, params.account_id)) ? params.account_id : null
    // The presence helper of published clients ignores diffs until it has received the state after its join.
    return {
      account_id,
      joined: () => (account_id ? realtime.presence.pushState(joined) : joined.push('presence_state', {})),
    }
  })
}

function silentChannel() {
  return declareChannel('conversation:lobby', async () => ({ account_id: null }))
}
