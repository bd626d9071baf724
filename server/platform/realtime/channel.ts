import { Invalid, Refusal, TooMany } from '../../errors.ts'
import type { Caller } from '../caller.ts'
import type { Payload } from './frames.ts'
import type { PresenceOwner } from './presence-entries.ts'
import type { TopicKey } from './topic-key.ts'

/** What a kind of topic does: who may join, and what members may say. */
export interface ChannelDefinition<Params = Record<string, string>> {
  /** Such as `room:{room_id}`; each `{name}` is handed to `join`. */
  pattern: string
  /**
   * Decides whether the caller may join; nothing else belongs here, because the client waits. Throw `Refused` or any
   * `Refusal` to say no; anything else that is thrown is logged and answered with "join crashed".
   */
  join(context: JoinContext<Params>): Promise<ChannelSession>
}

/** What a channel knows of whoever wants to join. */
export interface JoinContext<Params> {
  caller: Caller
  params: Params
  payload: Payload
  /** Tells this client things, and owns its presence. Open once the join was answered. */
  channel: Channel
}

/** One client on one topic. */
export interface Channel extends PresenceOwner {
  /** As the client calls it. */
  readonly topic: string
  /** As broadcasts and presence call it. Known once the join was answered. */
  readonly key: TopicKey
  readonly caller: Caller
  /** To this client only. Silently nothing once the client has left. */
  push(event: string, payload: object): void
  /** Ends the client's stay on this topic; it will not come back by itself. */
  close(): void
}

/** Rights that may be others than when somebody joined: of these customers, or of everybody in the account. */
export interface AccessChange {
  account_id: string
  customer_ids: string[] | null
}

/** What a channel does for one client that has joined. */
export interface ChannelSession {
  /**
   * Whose topic it is. What other accounts broadcast under the same name is not received here, and callers who belong to
   * another account are refused. Null for a topic of nobody's, where nothing is ever broadcast.
   */
  account_id: string | null
  /** Pages travel on this topic: its frames may be larger than those of others, in both directions. */
  carriesLargeFrames?: true
  /**
   * What the client may say, by event. The result is the reply's response, nothing means `{}`. Throwing `Refused` or a
   * `Refusal` answers with an error; anything else is logged and answered with "internal error". The channel stays.
   */
  on?: Record<string, (payload: Payload) => Promise<object | undefined>>
  /**
   * Asked again when rights have changed in the account; nothing to wait for when those are not what this stay rests on.
   * Throws as `join` does when the client may no longer be here: its stay ends then.
   */
  recheck?(change: AccessChange): Promise<void> | undefined
  /** After the client has its answer. Frames do not wait for it. When it throws, the client is told to join again. */
  joined?(): Promise<void> | void
  /** Once, when the client left, was replaced by a newer join, or its socket is gone. */
  left?(): void
}

/** The names in braces: `ParamsOf<'room:{room_id}'>` is `{ room_id: string }`. */
export type ParamsOf<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & ParamsOf<Rest>
  : unknown

/** Writes down a channel; the compiler reads the parameters off the pattern. */
export function defineChannel<const Pattern extends string>(
  pattern: Pattern,
  join: (context: JoinContext<ParamsOf<Pattern>>) => Promise<ChannelSession>,
): ChannelDefinition<ParamsOf<Pattern>> {
  return { pattern, join }
}

/** No, in exactly these words. */
export class Refused extends Error {
  readonly response: object

  constructor(response: object) {
    super('Refused')
    this.response = response
  }
}

/** The error reply for something thrown on purpose; nothing for a fault of ours. */
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
