import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'

const DAY_MINUTES = 24 * 60

/** Days without an answer after which a reminder can come. */
export const REMINDER_DAYS = [1, 3, 7] as const

/** What happens to the conversation once a reply is sent: nothing, it is closed, or it comes back after so many minutes. */
export type Afterwards = 'nothing' | 'closes' | `${number}`

/** The choices with the days of reminders, including another time that a program chose. */
export function listAfterwards(chosen: Afterwards): { value: Afterwards; days: number }[] {
  const reminders = REMINDER_DAYS.map((days): Afterwards => `${days * DAY_MINUTES}`)
  const all = new Set<Afterwards>(['nothing', 'closes', ...reminders, chosen])
  return [...all].map((value) => ({ value, days: Math.ceil(Number(value) / DAY_MINUTES) }))
}

export function afterwardsOf({
  closes,
  remind_minutes,
}: Pick<ScheduledMessage, 'closes' | 'remind_minutes'>): Afterwards {
  if (closes) return 'closes'
  return remind_minutes === null ? 'nothing' : `${remind_minutes}`
}

/** The fields that express a choice. */
export function fieldsOf(value: Afterwards): Pick<ScheduledMessage, 'closes' | 'remind_minutes'> {
  const isReminder = value !== 'nothing' && value !== 'closes'
  return { closes: value === 'closes', remind_minutes: isReminder ? Number(value) : null }
}
