import * as z from 'zod/mini'
import type { TopicPattern } from '#contract/topics.ts'
import { Invalid } from './errors.ts'
import { type ChannelDefinition, defineChannel } from './platform/realtime/channel.ts'
import type { Payload } from './platform/realtime/frames.ts'

/** Declares a channel of a feature. Its pattern is in the contract's list of topics, so that tests cover every channel. */
export function declareChannel<const Pattern extends TopicPattern>(
  pattern: Pattern,
  join: Parameters<typeof defineChannel<Pattern>>[1],
): ChannelDefinition {
  return defineChannel(pattern, join) as ChannelDefinition
}

/** The handler of `ping`, which existing clients may send: the payload comes back. */
export const ping = async (payload: Payload) => payload

/** @throws Invalid with the fields */
export function parsePayload<S extends z.ZodMiniType>(schema: S, payload: Payload): z.output<S> {
  const parsed = z.safeParse(schema, payload)
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'base')
  throw new Invalid(Object.fromEntries(fields.map((field) => [field, ['is invalid']])))
}

/** Now, in seconds. Existing clients expect text. */
export function epochSeconds(): string {
  return String(Math.floor(Date.now() / 1000))
}
