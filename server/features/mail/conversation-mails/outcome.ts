import type { InboundOutcome } from '../../../integration.ts'

/** What became of a received mail. */
export type MailOutcome =
  | { kind: 'posted'; conversation_id: string; message_id: string }
  /** It changed an existing message, as a bounce does. */
  | { kind: 'changed'; conversation_id: string; message_id: string }
  /** The sentence explains why, for people who look for the mail. */
  | { kind: 'ignored'; reason: string }

export function ignored(reason: string): MailOutcome {
  return { kind: 'ignored', reason }
}

/** The same in the shape shared by all integrations. */
export function outcomeOf(outcome: MailOutcome): InboundOutcome {
  if (outcome.kind === 'ignored') return { state: 'ignored', reason: outcome.reason }
  const { conversation_id, message_id } = outcome
  return { state: 'done', conversation_id, message_id }
}
