import * as z from 'zod/mini'
import { MessageDraft } from '#contract/conversations/messages.ts'
import { Id } from '#contract/wire.ts'
import { declareChannel, epochSeconds, parsePayload, ping } from '../../../channel.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import { isTeamOf } from '../../../platform/caller.ts'
import { Refused } from '../../../platform/realtime/channel.ts'
import { topicKey } from '../../../platform/realtime/topic-key.ts'
import { reportPresence } from '../../accounts/availability/availability.ts'
import { cursorHints } from '../../developers/events/cursor-hints.ts'
import { findConversationById } from './conversations.ts'
import { withMailOfMetadata } from './mail-in-metadata.ts'
import { chooseAuthor } from './message-author.ts'
import { postInGroup } from './posting.ts'
import { readConversation } from './updating.ts'

/** Everything that happens in an account, for its team. */
export function teamChannel(context: Context) {
  const { db, change, realtime } = context
  return declareChannel('notification:{account_id}', async ({ caller, params, channel: joined }) => {
    if (!isTeamOf(params.account_id, caller)) throw new Refused({ reason: 'Unauthorized' })
    const { account_id, user_id } = caller
    const online_at = epochSeconds()
    return {
      account_id,
      on: {
        ping,
        present: async () => {
          await change((tx) => reportPresence(tx, account_id, user_id))
          return {}
        },
        read: async (payload) => {
          const { conversation_id } = parsePayload(z.object({ conversation_id: Id }), payload)
          await change((tx) => readConversation(tx, account_id, conversation_id, user_id))
        },
        shout: async (payload) => {
          const draft = parsePayload(MessageDraft, payload)
          const author = chooseAuthor(user_id, null, draft.type)
          const message = await postInGroup(context, account_id, author, withMailOfMetadata(draft))
          return { id: message.id, number: message.number, created_at: message.created_at }
        },
        typing: async (payload) => {
          const { conversation_id, typing } = parsePayload(Typing, payload)
          const event = { conversation_id, user_id, typing }
          void realtime.broadcast(joined.key, 'typing', event)
          await sendToCustomer(conversation_id, event)
        },
        viewing: async (payload) => {
          const { conversation_id } = parsePayload(Viewing, payload)
          if (conversation_id && !(await isOwnConversation(conversation_id))) throw new NotFound()
          // Presence ends with the socket and is shared by all nodes, so nobody remains shown at a conversation.
          track({ viewing: conversation_id })
          return {}
        },
      },
      joined: () => {
        track({})
        realtime.presence.track(
          topicKey(account_id, `room:${account_id}`),
          `user:${user_id}`,
          { online_at, user_id },
          joined,
        )
        cursorHints(context).add(joined)
        return realtime.presence.pushState(joined)
      },
      left: () => cursorHints(context).remove(joined),
    }

    function track(more: { viewing?: string | null }) {
      realtime.presence.track(joined.key, `user:${user_id}`, { online_at, user_id, ...more }, joined)
    }

    /** Only for conversations of this account: the topic belongs to customers, and ids come from clients. */
    async function sendToCustomer(conversation_id: string, event: object) {
      if (await isOwnConversation(conversation_id))
        void realtime.broadcast(topicKey(account_id, `conversation:${conversation_id}`), 'typing', event)
    }

    async function isOwnConversation(id: string) {
      return (await findConversationById(db, id))?.account_id === account_id
    }
  })
}

const Typing = z.object({ conversation_id: Id, typing: z.boolean() })
const Viewing = z.object({ conversation_id: z.nullable(Id) })
