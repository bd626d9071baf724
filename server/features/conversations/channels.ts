import * as z from 'zod/mini'
import { MessageDraft } from '#contract/messages.ts'
import type { TopicPattern } from '#contract/topics.ts'
import { Id, isId } from '#contract/wire.ts'
import type { Context } from '../../context.ts'
import { Invalid, NotFound } from '../../errors.ts'
import { type Caller, isTeamOf } from '../../platform/caller.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { consume } from '../../platform/limits/limits.ts'
import { type ChannelDefinition, defineChannel, Refused } from '../../platform/realtime/channel.ts'
import { topicKey } from '../../platform/realtime/topic-key.ts'
import { resolveCustomer } from '../customers/customers.ts'
import { isCurrentVisitor, mayActAsCustomer } from '../customers/visitor-sessions.ts'
import { cursorHints } from '../events/cursor-hints.ts'
import { metadataOfCustomer } from '../messages/for-customer.ts'
import { findConversationById } from './conversations.ts'
import { chooseAuthor, postMessage } from './posting.ts'
import { seeMessages } from './read-receipts.ts'
import { readConversation } from './updating.ts'

/** Typed by the contract's list of topics, so that tests cover every channel. */
function channel<const Pattern extends TopicPattern>(
  pattern: Pattern,
  join: Parameters<typeof defineChannel<Pattern>>[1],
): ChannelDefinition {
  return defineChannel(pattern, join) as ChannelDefinition
}

const DraftOfCustomer = z.pick(MessageDraft, { id: true, body: true, sent_at: true, file_ids: true, metadata: true })
const ping = async (payload: Record<string, unknown>) => payload

/** A minute's worth of a fast typist; a flood gets a retry time. */
const MESSAGES_PER_CUSTOMER = { capacity: 20, perSecond: 1 }

export function conversationChannels(context: Context): ChannelDefinition[] {
  return [roomChannel(context), silentChannel(), lobbyChannel(context), customerChannel(context), teamChannel(context)]
}

function roomChannel({ realtime }: Context) {
  return channel('room:{account_id}', async ({ params, channel: joined }) => ({
    account_id: isId(params.account_id) ? params.account_id : null,
    // The presence helper of published clients ignores diffs until it has received the state after its join.
    joined: () => realtime.presence.pushState(joined),
  }))
}

function silentChannel() {
  return channel('conversation:lobby', async () => ({ account_id: null }))
}

function lobbyChannel({ db }: Context) {
  return channel('conversation:lobby:{customer_id}', async ({ caller, params }) => {
    if (caller.kind === 'visitor' && caller.customer_id !== params.customer_id)
      throw new Refused({ reason: 'unauthorized' })
    // Old clients wait here with an id that may be deleted; they receive nothing, and a refusal would not help them.
    const customer = isId(params.customer_id) && (await findAccountOf(db, params.customer_id))
    if (!customer) return { account_id: null }
    const { account_id } = customer
    const admit = async () => {
      if (!(await mayActAsCustomer(db, caller, account_id, params.customer_id)))
        throw new Refused({ reason: 'unauthorized' })
    }
    await admit()
    return {
      account_id,
      recheck({ customer_ids }) {
        if (customer_ids && !customer_ids.includes(params.customer_id)) return
        return admitCurrentCaller(db, caller).then(admit)
      },
    }
  })
}

/** For any customer, including erased ones. */
function findAccountOf(db: Db, customer_id: string) {
  return db.selectFrom('customers').select('account_id').where('id', '=', customer_id).executeTakeFirst()
}

/**
 * A socket keeps its identity from connecting. Refuses visitors whose session has ended or moved to another customer
 * since.
 */
async function admitCurrentCaller(db: Db, caller: Caller) {
  if (caller.kind === 'visitor' && !(await isCurrentVisitor(db, caller))) throw new Refused({ reason: 'unauthorized' })
}

/** The customer's side of one conversation. The join only checks access, so that it is answered fast. */
function customerChannel(context: Context) {
  const { db, change, groupedChange, realtime } = context
  return channel('conversation:{conversation_id}', async ({ caller, params, payload, channel: joined }) => {
    if (!isId(params.conversation_id)) throw new Error('The conversation id must be a UUID.')
    // Checked again for each push: the customer may have been deleted, claimed or merged meanwhile.
    const admit = () => admitToConversation(db, caller, params.conversation_id)
    let { account_id, id, customer_id } = await admit()
    const admitAgain = async () => {
      await admitCurrentCaller(db, caller)
      customer_id = (await admit()).customer_id
    }
    const isTeam = caller.kind === 'user'
    const teamTopic = topicKey(account_id, `notification:${account_id}`)
    return {
      account_id,
      recheck({ customer_ids }) {
        if (isTeam || (customer_ids && !customer_ids.includes(customer_id))) return
        return admitAgain()
      },
      on: {
        ping,
        shout: async (payload) => {
          if (isTeam) throw new Refused({ reason: 'unauthorized' })
          if (context.config.rateLimits) await consume(context.limits, `messages:${customer_id}`, MESSAGES_PER_CUSTOMER)
          const { metadata, ...rest } = parse(DraftOfCustomer, payload)
          const draft = { ...rest, metadata: metadataOfCustomer(metadata) }
          const author = { kind: 'customer' as const, customer_id: (await admit()).customer_id }
          const message = await groupedChange(account_id, id, (open) =>
            postMessage(open, account_id, author, { ...draft, conversation_id: id }),
          )
          return { id: message.id, number: message.number, created_at: message.created_at }
        },
        'messages:seen': async () => {
          if (isTeam) return
          const conversation = await admit()
          await change((open) => seeMessages(open, conversation))
        },
        typing: async ({ typing }) => {
          if (isTeam) return
          const payload = { conversation_id: id, customer_id, typing: typing === true }
          void realtime.broadcast(teamTopic, 'typing', payload)
        },
      },
      joined: async () => {
        const claims = z.safeParse(Id, payload.customer_id)
        if (isTeam || !claims.success) return
        // Browsers of a merged customer may still use the old id.
        const isOld = claims.data !== customer_id
        if (isOld && (await resolveCustomer(db, claims.data, account_id))?.id !== customer_id) return
        const meta = { online_at: epochSeconds(), customer_id }
        realtime.presence.track(joined.key, `customer:${customer_id}`, meta, joined)
        realtime.presence.track(teamTopic, `customer:${customer_id}`, meta, joined)
        return realtime.presence.pushState(joined)
      },
    }
  })
}

/** Admits a caller to the customer's side of a conversation, or refuses. */
async function admitToConversation(db: Db, caller: Caller, conversation_id: string) {
  const found = await findConversationById(db, conversation_id)
  const allowed = found && (await mayActAsCustomer(db, caller, found.account_id, found.customer_id, found.inbox_id))
  if (!allowed) throw new Refused({ reason: 'unauthorized' })
  return found
}

/** Everything that happens in an account, for its team. */
function teamChannel(context: Context) {
  const { db, change, groupedChange, realtime } = context
  return channel('notification:{account_id}', async ({ caller, params, channel: joined }) => {
    if (!isTeamOf(params.account_id, caller)) throw new Refused({ reason: 'Unauthorized' })
    const { account_id, user_id } = caller
    const online_at = epochSeconds()
    return {
      account_id,
      on: {
        ping,
        read: async (payload) => {
          const { conversation_id } = parse(z.object({ conversation_id: Id }), payload)
          await change((open) => readConversation(open, account_id, conversation_id, user_id))
        },
        shout: async (payload) => {
          const draft = parse(MessageDraft, payload)
          const author = chooseAuthor(user_id, null, draft.type)
          const post = (open: Change) => postMessage(open, account_id, author, draft)
          const message = await groupedChange(account_id, draft.conversation_id, post)
          return { id: message.id, number: message.number, created_at: message.created_at }
        },
        typing: async (payload) => {
          const { conversation_id, typing } = parse(Typing, payload)
          const event = { conversation_id, user_id, typing }
          void realtime.broadcast(joined.key, 'typing', event)
          await sendToCustomer(conversation_id, event)
        },
        viewing: async (payload) => {
          const { conversation_id } = parse(Viewing, payload)
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
      left: () => cursorHints(context).forget(joined),
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

function parse<S extends z.ZodMiniType>(schema: S, payload: unknown): z.output<S> {
  const parsed = z.safeParse(schema, payload)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'base')
  throw new Invalid(Object.fromEntries(fields.map((field) => [field, ['is invalid']])))
}

/** Existing clients expect text. */
function epochSeconds(): string {
  return String(Math.floor(Date.now() / 1000))
}
