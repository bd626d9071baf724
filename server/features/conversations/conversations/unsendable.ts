import { isWindowClosed, replyHoursOf } from '#contract/connections/reply-window.ts'
import { Invalid } from '../../../errors.ts'
import type { ConversationDbRow } from './conversations.ts'

/** A reply that could not reach the customer. The sentence says what to do instead. */
export class Unsendable extends Invalid {
  constructor(sentence: string, reason?: string) {
    super({ body: [sentence] }, sentence, reason)
  }
}

/** A reply to somebody who may have asked for no more messages, which nobody has confirmed. */
export class PossibleOptOut extends Unsendable {
  constructor() {
    super(
      'The customer may have asked for no more messages. Read what they wrote; if a reply is still right, confirm it in the dashboard.',
      'possible_opt_out',
    )
  }
}

/**
 * Refuses what the team writes to a customer who may have asked for no more messages, until a person has decided.
 * @throws PossibleOptOut
 */
export function assertNoPossibleOptOut(
  { possible_opt_out_at }: Pick<ConversationDbRow, 'possible_opt_out_at'>,
  send_anyway: boolean | undefined,
): void {
  if (possible_opt_out_at && !send_anyway) throw new PossibleOptOut()
}

/**
 * Refuses free text of the team where the channel takes it only for a time after the customer's last message.
 * @throws Unsendable
 */
export function assertWindowOpen(conversation: Pick<ConversationDbRow, 'source' | 'reply_until'>): void {
  const { source, reply_until } = conversation as Parameters<typeof isWindowClosed>[0]
  if (!isWindowClosed({ source, reply_until }, Date.now())) return
  throw new Unsendable(
    `The customer has not written in the last ${replyHoursOf(source)} hours, so this channel takes no free text. Send a template, or write a note.`,
  )
}

/** Until when the team may answer a customer's message freely; undefined where there is no such time. */
export function replyUntil(
  { source, reply_until }: Pick<ConversationDbRow, 'source' | 'reply_until'>,
  written_at: string,
): string | undefined {
  const hours = replyHoursOf(source as Parameters<typeof replyHoursOf>[0])
  if (hours === undefined) return undefined
  const end = new Date(Date.parse(written_at) + hours * 3_600_000).toISOString()
  // What arrives late does not end what a newer message began.
  return reply_until && Date.parse(reply_until) > Date.parse(end) ? reply_until : end
}
