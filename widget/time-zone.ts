/** Browsers that are a year old do not have it yet, and TypeScript does not know it. */
const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } }

/** The name of the visitor's time zone. `Intl` loads all it knows of dates for it, which takes 15 ms and more. */
export function timeZone(): string {
  return Temporal ? Temporal.Now.timeZoneId() : Intl.DateTimeFormat().resolvedOptions().timeZone
}
