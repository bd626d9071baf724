/** What became of a mail. */
export type MailOutcome =
  | { kind: 'posted'; conversation_id: string; message_id: string }
  /** It told something of a message that is there. */
  | { kind: 'changed'; conversation_id: string; message_id: string }
  /** The sentence says why, for whoever looks for the mail. */
  | { kind: 'ignored'; reason: string }

export function ignored(reason: string): MailOutcome {
  return { kind: 'ignored', reason }
}
