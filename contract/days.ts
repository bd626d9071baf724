// Days without a time, `YYYY-MM-DD`, in the time zone of the caller.

const DAY_MS = 86_400_000

/** Adds a number of days, possibly negative, to a day `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The Sunday that begins the week of a day, possibly the day itself. */
export function sundayBefore(day: string): string {
  return addDays(day, -new Date(day).getUTCDay())
}

/** Every day from the first to the last, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}
