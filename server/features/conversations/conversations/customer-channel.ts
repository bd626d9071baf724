import * as z from 'zod/mini'
import { MessageDraft } from '#contract/conversations/messages.ts'
import { Id, isId } from '#contract/wire.ts'
import { declareChannel, epochSeconds, parsePayload, ping } from '../../../channel.ts'
import type { Context } from '../../../context.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { consume } from '../../../platform/limits/limits.ts'
import { type AccessChange, type Channel, type ChannelSession, Refused } from '../../../platform/realtime/channel.ts'
import type { Payload } from '../../../platform/realtime/frames.ts'
import { topicKey } from '../../../platform/realtime/topic-key.ts'
import { resolveCustomer } from '../../customers/customers/customers.ts'
import { isCurrentVisitor, mayActAsCustomer } from '../../customers/customers/visitor-sessions.ts'
import { findConversationById } from './conversations.ts'
import { postInGroup } from './posting.ts'
import { seeMessages } from './read-receipts.ts'

/** Other fields of the frame are not even parsed. */
const DraftOfCustomer = z.pick(MessageDraft, { id: true, body: true, sent_at: true, file_ids: true, metadata: true })
/** A minute's worth of a fast typist; a flood gets a retry time. */
const MESSAGES_PER_CUSTOMER = { capacity: 20, perSecond: 1 }

export function lobbyChannel({ db }: Context) {
  return declareChannel('conversation:lobby:{customer_id}', async ({ caller, params }) => {
    if (caller.kind === 'visitor' && caller.customer_id !== params.customer_id)
      throw new Refused({ reason: 'unauthorized' })
    const account_id = caller.kind === 'visitor' ? caller.account_id : await findAccountOf(db, params.customer_id)
    // Old clients wait here with an id that may be deleted; they receive nothing, and a refusal would not help them.
    if (!account_id) return { account_id: null }
    const assertMayAct = async () => {
      if (!(await mayActAsCustomer(db, caller, account_id, params.customer_id)))
        throw new Refused({ reason: 'unauthorized' })
    }
    await assertMayAct()
    return {
      account_id,
      recheck({ customer_ids }) {
        if (customer_ids && !customer_ids.includes(params.customer_id)) return
        return authorizeCurrentCaller(db, caller).then(assertMayAct)
      },
    }
  })
}

/** For any customer, including erased ones. */
async function findAccountOf(db: Db, customer_id: string): Promise<string | undefined> {
  if (!isId(customer_id)) return undefined
  const row = await acrossAccounts(db, 'old clients send the id alone; who may join is decided from what is found')
    .selectFrom('customers')
    .select('account_id')
    .where('id', '=', customer_id)
    .executeTakeFirst()
  return row?.account_id
}

/**
 * A socket keeps its identity from connecting. Refuses visitors whose session has ended or moved to another customer
 * since.
 */
async function authorizeCurrentCaller(db: Db, caller: Caller) {
  if (caller.kind === 'visitor' && !(await isCurrentVisitor(db, caller))) throw new Refused({ reason: 'unauthorized' })
}

/** The customer's side of one conversation. The join only checks access, so that it is answered fast. */
export function customerChannel(context: Context) {
  return declareChannel('conversation:{conversation_id}', async ({ caller, params, payload, channel: joined }) => {
    if (!isId(params.conversation_id)) throw new Refused({ reason: 'join crashed' })
    const conversation = await authorizeForConversation(context.db, caller, params.conversation_id)
    const claims = z.safeParse(Id, payload.customer_id)
    return new CustomerSide(context, joined, conversation, claims.success ? claims.data : undefined)
  })
}

/** One client on it. A class, because a server holds thousands of them, and closures would take half a kilobyte more each. */
class CustomerSide implements ChannelSession {
  readonly account_id: string
  readonly #context: Context
  readonly #channel: Channel
  readonly #conversation_id: string
  /** Changes when the customer is merged or claimed. */
  #customer_id: string
  /** Who the client says it is; browsers of a merged customer may still use the old id. */
  readonly #claimed_id: string | undefined

  constructor(
    context: Context,
    channel: Channel,
    { account_id, id, customer_id }: AdmittedConversation,
    claimed_id: string | undefined,
  ) {
    this.#context = context
    this.#channel = channel
    this.account_id = account_id
    this.#conversation_id = id
    this.#customer_id = customer_id
    this.#claimed_id = claimed_id
  }

  get on(): NonNullable<ChannelSession['on']> {
    return {
      ping,
      shout: (payload) => this.#post(payload),
      'messages:seen': () => this.#see(),
      typing: (payload) => this.#sendTyping(payload),
    }
  }

  recheck({ customer_ids }: AccessChange) {
    if (this.#isTeam || (customer_ids && !customer_ids.includes(this.#customer_id))) return
    return this.#admitAgain()
  }

  async joined() {
    if (this.#isTeam || !(await this.#isCustomer())) return
    const { presence } = this.#context.realtime
    const key = `customer:${this.#customer_id}`
    const meta = { online_at: epochSeconds(), customer_id: this.#customer_id }
    presence.track(this.#channel.key, key, meta, this.#channel)
    presence.track(this.#teamTopic, key, meta, this.#channel)
    return presence.pushState(this.#channel)
  }

  get #isTeam() {
    return this.#channel.caller.kind === 'user'
  }

  get #teamTopic() {
    return topicKey(this.account_id, `notification:${this.account_id}`)
  }

  /** Checked for each push: the customer may have been deleted, claimed or merged meanwhile. */
  #admit() {
    return authorizeForConversation(this.#context.db, this.#channel.caller, this.#conversation_id)
  }

  async #admitAgain() {
    await authorizeCurrentCaller(this.#context.db, this.#channel.caller)
    this.#customer_id = (await this.#admit()).customer_id
  }

  async #isCustomer() {
    if (!this.#claimed_id) return false
    if (this.#claimed_id === this.#customer_id) return true
    const resolved = await resolveCustomer(this.#context.db, this.#claimed_id, this.account_id)
    return resolved?.id === this.#customer_id
  }

  async #post(payload: Payload) {
    if (this.#isTeam) throw new Refused({ reason: 'unauthorized' })
    const { config, limits } = this.#context
    if (config.rateLimits) await consume(limits, `messages:${this.#customer_id}`, MESSAGES_PER_CUSTOMER)
    const draft = { ...parsePayload(DraftOfCustomer, payload), conversation_id: this.#conversation_id }
    const author = { kind: 'visitor' as const, customer_id: (await this.#admit()).customer_id }
    const message = await postInGroup(this.#context, this.account_id, author, draft)
    return { id: message.id, number: message.number, created_at: message.created_at }
  }

  async #see(): Promise<undefined> {
    if (this.#isTeam) return
    const conversation = await this.#admit()
    await this.#context.change((tx) => seeMessages(tx, conversation))
  }

  async #sendTyping({ typing }: Payload): Promise<undefined> {
    if (this.#isTeam) return
    const payload = { conversation_id: this.#conversation_id, customer_id: this.#customer_id, typing: typing === true }
    void this.#context.realtime.broadcast(this.#teamTopic, 'typing', payload)
  }
}

/** Admits a caller to the customer's side of a conversation, or refuses. */
async function authorizeForConversation(db: Db, caller: Caller, conversation_id: string) {
  const conversation = await findConversationById(db, conversation_id)
  const allowed =
    conversation &&
    (await mayActAsCustomer(db, caller, conversation.account_id, conversation.customer_id, conversation.inbox_id))
  if (!allowed) throw new Refused({ reason: 'unauthorized' })
  return conversation
}

type AdmittedConversation = Awaited<ReturnType<typeof authorizeForConversation>>
