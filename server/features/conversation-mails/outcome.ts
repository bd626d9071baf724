import type { Outcome } from '../../integration.ts'

/** What became of a mail. */
export type MailOutcome =
  | { kind: 'posted'; conversation_id: string; message_id: string }
  /** It reported on a message that exists, such as a bounce. */
  | { kind: 'changed'; conversation_id: string; message_id: string }
  /** The sentence says why, for whoever looks for the mail. */
  | { kind: 'ignored'; reason: string }

export function ignored(reason: string): MailOutcome {
  return { kind: 'ignored', reason }
}

/** The same in the words that all integrations share. */
export function outcomeOf(outcome: MailOutcome): Outcome {
  if (outcome.kind === 'ignored') return { state: 'ignored', reason: outcome.reason }
  const { conversation_id, message_id } = outcome
  return { state: 'done', conversation_id, message_id }
}
