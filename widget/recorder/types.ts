// The programming interface of `storytime.js`, as types. No byte of this file ships.

/** What a website may configure in `window.Papercups.config`, which the chat reads, too. */
export interface RecorderConfig {
  /** The id of the account. */
  accountId?: string
  /** The name that the chat has for it. */
  token?: string
  /** Where Parley answers. Without it: where the script came from. */
  baseUrl?: string
  /** Who the visitor is, as far as the website knows. */
  customer?: Record<string, unknown>
  /** Pages on which nothing is shown: parts of their paths. */
  blocklist?: string[]
  /** Asked before anything else happens; nothing does unless the answer is yes. */
  consent?: () => boolean | Promise<boolean>
}

/** `window.Storytime`. */
export interface Storytime {
  /** Ends the session in this tab, for good. */
  finish(): void
  /** Begins after all, when the visitor has agreed to it later. */
  start(): Promise<void>
  initialized: boolean
}

/** What the part that records needs of the part that is always there. */
export interface RecordingOptions {
  /** Sends a frame whose payload is JSON already. `refused` is called with seconds to wait when the server did not take it. */
  push(event: string, json: string, refused: (seconds: number) => void): void
  /** Bytes that wait to be sent. */
  waiting(): number
  blocklist: string[]
  showsSign: boolean
  /** The visitor does not want to be watched. */
  stop(): void
}

/** Records a page. Loaded when somebody watches, or when the last minute is to be kept. */
export interface Recording {
  /** How many watch now, and whether one of them has just come. */
  watch(watchers: number, isNew: boolean): void
  end(): void
}
