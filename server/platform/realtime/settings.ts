import type { Limit } from '../limits/limits.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Limits and times of sockets. */
export interface RealtimeSettings {
  path: string
  /** A socket that is silent for this long is closed; clients send a heartbeat every 30 s. */
  idleMs: number
  /** How often all sockets are checked. */
  sweepMs: number
  maxFrameBytes: number
  /** For frames of visitors and strangers, as for the bodies of their calls. */
  maxVisitorFrameBytes: number
  /** For frames on topics with large ones: recorded pages. */
  maxLargeFrameBytes: number
  /** Bytes of frames that have begun and not ended, of all sockets. */
  maxUnfinishedBytes: number
  /** How often these are counted. */
  unfinishedMs: number
  maxTopicsPerSocket: number
  maxTopicsPerVisitorSocket: number
  /** A socket without credentials that has joined no topic by then is closed. */
  joinMs: number
  maxTopicLength: number
  /** A client with more unread bytes than this is too slow and dropped. */
  maxUnreadBytes: number
  /** The same for clients on a topic with large frames. */
  maxLargeUnreadBytes: number
  /** Limits for frames queued behind another: frames per topic, and characters per socket. */
  maxWaitingFrames: number
  maxWaitingCharacters: number
  /** Rate limit of one socket. A frame costs one token, a large one more. */
  frames: Limit
  charactersPerToken: number
  /** A socket is closed after this many refused frames; every sweep halves the count. */
  abusiveAfter: number
  /** Unreadable frames after which a socket is closed. */
  maxUnreadable: number
  /** Delay before a refusal is answered: some clients retry at once, for ever. */
  refusalMs: number
  /** New sockets per address. */
  upgrades: Limit
  /** Open sockets per address: more than a school or a large office needs, whose people share one. */
  maxTeamSocketsPerNetwork: number
  maxVisitorSocketsPerNetwork: number
  /** How long shutting down waits for frames in progress, and then for clients to close. */
  drainMs: number
  /** Period over which all clients are made to reconnect after messages of other nodes may have been missed. */
  resyncMs: number
  /** How often nodes compare their numbers of sockets. */
  balanceMs: number
}

/** The defaults, which tests and operators can override. */
export const DEFAULT_SETTINGS: RealtimeSettings = {
  path: '/socket/websocket',
  idleMs: 45_000,
  sweepMs: 3_000,
  maxFrameBytes: MIB,
  maxVisitorFrameBytes: 256 * KIB,
  maxLargeFrameBytes: 8 * MIB,
  maxUnfinishedBytes: 64 * MIB,
  unfinishedMs: 500,
  maxTopicsPerSocket: 200,
  maxTopicsPerVisitorSocket: 50,
  joinMs: 60_000,
  maxTopicLength: 255,
  maxUnreadBytes: MIB,
  maxLargeUnreadBytes: 32 * MIB,
  maxWaitingFrames: 100,
  maxWaitingCharacters: 16 * MIB,
  frames: { capacity: 300, perSecond: 100 },
  charactersPerToken: 64 * KIB,
  abusiveAfter: 1_000,
  maxUnreadable: 10,
  refusalMs: 2_000,
  upgrades: { capacity: 5_000, perSecond: 100 },
  maxTeamSocketsPerNetwork: 10_000,
  maxVisitorSocketsPerNetwork: 3_000,
  drainMs: 5_000,
  resyncMs: 5_000,
  balanceMs: 10_000,
}
