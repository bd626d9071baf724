import { Invalid, Refusal, TooMany } from '../../errors.ts'
import type { Caller } from '../caller.ts'
import type { Payload } from './frames.ts'
import type { PresenceOwner } from './presence-entries.ts'
import type { TopicKey } from './topic-key.ts'

/** A kind of topic: who may join, and what members may send. */
export interface ChannelDefinition<Params = Record<string, string>> {
  /** Such as `room:{room_id}`; each `{name}` is passed to `join`. */
  pattern: string
  /**
   * Decides whether the caller may join, and does nothing else, because the client waits. Throw `Refused` or any
   * `Refusal` to refuse; anything else that is thrown is logged and answered with "join crashed".
   */
  join(context: JoinContext<Params>): Promise<ChannelSession>
}

/** What a channel knows of a client that wants to join. */
export interface JoinContext<Params> {
  caller: Caller
  params: Params
  payload: Payload
  /** Sends to this client, and owns its presence. Open once the join was answered. */
  channel: Channel
}

/** One client on one topic. */
export interface Channel extends PresenceOwner {
  /** The name that clients use. */
  readonly topic: string
  /** The name that broadcasts and presence use. Known once the join was answered. */
  readonly key: TopicKey
  readonly caller: Caller
  /** Sends to this client only. Does nothing once the client has left. */
  push(event: string, payload: object): void
  /** Removes the client from this topic; it will not rejoin by itself. */
  close(): void
}

/** A change of rights: of these customers, or of everybody in the account. */
export interface AccessChange {
  account_id: string
  customer_ids: string[] | null
}

/** What a channel does for one joined client. */
export interface ChannelSession {
  /**
   * The account of the topic. Broadcasts of other accounts under the same name are not received, and callers of another
   * account are refused. Null for a topic without account, where nothing is ever broadcast.
   */
  account_id: string | null
  /** Recorded pages are sent on this topic: its frames may be larger, in both directions. */
  carriesLargeFrames?: true
  /**
   * Handlers by event. The result is the reply's response, undefined means `{}`. Throwing `Refused` or a `Refusal`
   * replies with an error; anything else is logged and answered with "internal error". The channel stays open.
   */
  on?: Record<string, (payload: Payload) => Promise<object | undefined>>
  /**
   * Called when rights have changed in the account; returns nothing if that does not concern this client.
   * Throws as `join` does when the client may no longer be here, which ends the channel.
   */
  recheck?(change: AccessChange): Promise<void> | undefined
  /** Runs after the reply to the join. Frames do not wait for it. If it throws, the client is asked to join again. */
  joined?(): Promise<void> | void
  /** Called once, when the client left, was replaced by a newer join, or disconnected. */
  left?(): void
}

/** The names in braces: `ParamsOf<'room:{room_id}'>` is `{ room_id: string }`. */
export type ParamsOf<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & ParamsOf<Rest>
  : unknown

/** Declares a channel; the compiler reads the parameters off the pattern. */
export function defineChannel<const Pattern extends string>(
  pattern: Pattern,
  join: (context: JoinContext<ParamsOf<Pattern>>) => Promise<ChannelSession>,
): ChannelDefinition<ParamsOf<Pattern>> {
  return { pattern, join }
}

/** Refuses with exactly this reason. */
export class Refused extends Error {
  readonly response: object

  constructor(response: object) {
    super('Refused')
    this.response = response
  }
}

/** The error reply for something thrown on purpose; undefined for an internal error. */
export function refusalResponse(thrown: unknown): object | undefined {
  if (thrown instanceof Refused) return thrown.response
  if (!(thrown instanceof Refusal)) return
  return {
    ...thrown.body,
    reason: thrown.reason ?? thrown.message,
    message: thrown.message,
    status: thrown.status,
    ...(thrown instanceof Invalid && { errors: thrown.errors }),
    ...(thrown instanceof TooMany && { retry_after: thrown.retryAfterSeconds }),
  }
}
