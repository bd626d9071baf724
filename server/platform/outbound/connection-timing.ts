/** Time limits of long-lived connections, polls and answers that arrive piece by piece, in milliseconds. Tests shorten them. */
export interface ConnectionTiming {
  /** Connecting and signing in take at most this long. */
  greeting: number
  /** A system that sends something regularly, such as Slack, is considered lost after this silence. */
  silence: number
  /** How often a system that may be silent is asked for a sign of life. */
  ping: number
  /** An answer to that takes at most this long. */
  answer: number
  /** The wait before reconnecting. It doubles with each failure. */
  firstWait: number
  longestWait: number
  /** A connection that lasted this long works again, whatever happened before. */
  holds: number
  /** Several failures within this time mean that a connection is unreliable. */
  unreliable: number
  /** The first piece of an answer that is written while it is sent: its program may have to be loaded first. */
  answerStart: number
  /** Each further piece of it. */
  answerPause: number
  /** All of it. */
  answerWhole: number
  /** A small answer with which settings are tried, while a person waits. */
  answerTrial: number
}

export const CONNECTION_TIMING: ConnectionTiming = {
  greeting: 20_000,
  silence: 45_000,
  ping: 20_000,
  answer: 30_000,
  firstWait: 1_000,
  longestWait: 60_000,
  holds: 120_000,
  unreliable: 600_000,
  answerStart: 90_000,
  answerPause: 30_000,
  answerWhole: 120_000,
  answerTrial: 25_000,
}
