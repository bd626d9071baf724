/** The topics of live sessions: `contract/realtime.md` 4.5 to 4.7. */
export const topics = {
  /** Which recorders are connected. */
  all: (account_id: string) => `events:admin:${account_id}:all`,
  recorder: (account_id: string, session_id: string) => `events:${account_id}:${session_id}`,
  watchers: (account_id: string, session_id: string) => `events:admin:${account_id}:${session_id}`,
}

/** The presence key of a session, used by its recorder and its watchers. */
export function presenceKey(session_id: string): string {
  return `session:${session_id}`
}
