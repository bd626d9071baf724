import type { Limit } from '../limits/limits.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Limits and times of sockets. */
export interface RealtimeSettings {
  path: string
  /** A socket that says nothing for so long is closed; clients send a heartbeat every 30 s. */
  idleMs: number
  /** How often all sockets are looked over. */
  sweepMs: number
  maxFrameBytes: number
  /** Of frames on topics that carry large ones: pages as recorders describe them. */
  maxLargeFrameBytes: number
  maxTopicsPerSocket: number
  maxTopicLength: number
  /** A client with more unread bytes than this is too slow and dropped. */
  maxUnreadBytes: number
  /** The same for clients on a topic that carries large frames. */
  maxLargeUnreadBytes: number
  /** Frames of one topic that may wait for the one before, and the characters that may wait on one socket. */
  maxWaitingFrames: number
  maxWaitingCharacters: number
  /** What one socket may say. A frame costs one token, a large one more. */
  frames: Limit
  charactersPerToken: number
  /** Refused frames after which a socket is closed; the count is halved with every sweep. */
  abusiveAfter: number
  /** Unreadable frames after which a socket is closed. */
  maxUnreadable: number
  /** How long whoever is refused waits for the answer: some clients ask again at once, for ever. */
  refusalMs: number
  /** New sockets from one address. */
  upgrades: Limit
  /** How long shutting down waits for frames being worked on, and then for clients to close. */
  drainMs: number
  /** Over how long clients are sent away to reconnect when other nodes' messages may have been missed. */
  resyncMs: number
  /** How often nodes compare how many sockets they have. */
  balanceMs: number
}

/** What holds unless a test or an operator says otherwise. */
export const DEFAULT_SETTINGS: RealtimeSettings = {
  path: '/socket/websocket',
  idleMs: 45_000,
  sweepMs: 3_000,
  maxFrameBytes: MIB,
  maxLargeFrameBytes: 8 * MIB,
  maxTopicsPerSocket: 200,
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
  drainMs: 5_000,
  resyncMs: 5_000,
  balanceMs: 10_000,
}
