// Days without a time: `YYYY-MM-DD`, of whichever time zone whoever counts them has in mind.

const DAY_MS = 86_400_000

/** The day so many days later, or earlier; days are `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The Sunday with which the week of a day begins: the day itself, where it is one. */
export function sundayBefore(day: string): string {
  return addDays(day, -new Date(day).getUTCDay())
}

/** Every day from the first to the last, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}
