import type { ConversationRow } from '#contract/conversations/conversations.ts'

type Due = Pick<ConversationRow, 'due_at' | 'due_started_at'>

/** How urgent a deadline is: by the share of its time that remains. */
export type Urgency = 'calm' | 'soon' | 'over'

/** The last part of the time in which a deadline is shown as urgent. */
const SOON = 0.25

/** How urgent a deadline is at a moment, in epoch milliseconds. */
export function urgencyOf({ due_at, due_started_at }: Due, now: number): Urgency {
  const due = Date.parse(due_at ?? '')
  if (now >= due) return 'over'
  const whole = due - Date.parse(due_started_at ?? '')
  return due - now <= whole * SOON ? 'soon' : 'calm'
}

/** A stretch of time in the largest unit that fits: at least one minute. */
export function roughTime(milliseconds: number): { unit: 'minute' | 'hour' | 'day'; count: number } {
  const minutes = Math.max(1, Math.floor(Math.abs(milliseconds) / 60_000))
  if (minutes < 60) return { unit: 'minute', count: minutes }
  if (minutes < 1440) return { unit: 'hour', count: Math.floor(minutes / 60) }
  return { unit: 'day', count: Math.floor(minutes / 1440) }
}
