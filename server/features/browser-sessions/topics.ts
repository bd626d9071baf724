/** The topics of live sessions, as clients call them: `contract/realtime.md` 4.5 to 4.7. */
export const topics = {
  /** Which recorders are connected. */
  all: (account_id: string) => `events:admin:${account_id}:all`,
  recorder: (account_id: string, session_id: string) => `events:${account_id}:${session_id}`,
  watchers: (account_id: string, session_id: string) => `events:admin:${account_id}:${session_id}`,
}

/** The key of a session in presence, both of its recorder and of those who watch it. */
export function presenceKey(session_id: string): string {
  return `session:${session_id}`
}
