import type { ScheduledMessageDraft } from '#contract/conversations/scheduled-messages.ts'

/** When a reply is sent, and what happens then, if it is not simply sent at once. */
export type SendPlan = Pick<
  ScheduledMessageDraft,
  'send_at' | 'undo_seconds' | 'if_answered' | 'closes' | 'remind_minutes'
>

/** Seconds in which a mail can be taken back, unless its author chose otherwise. */
const USUAL_MAIL_SECONDS = 5

/**
 * The plan for a reply with the author's time for taking it back; undefined if it is simply sent.
 * @param undo_seconds as in the author's settings: null for the usual time
 */
export function planWithUndo(
  chosen: SendPlan | undefined,
  { undo_seconds, isMail }: { undo_seconds: number | null; isMail: boolean },
): SendPlan | undefined {
  if (chosen?.send_at) return chosen
  const seconds = undo_seconds ?? (isMail ? USUAL_MAIL_SECONDS : 0)
  return chosen || seconds > 0 ? { ...chosen, undo_seconds: seconds } : undefined
}
