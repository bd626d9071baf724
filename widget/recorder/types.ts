// The public interface of `storytime.js`, as types only: this file adds nothing to the script.

/** What a website may configure in `window.Papercups.config`, which the chat reads, too. */
export interface RecorderConfig {
  /** The id of the account. */
  accountId?: string
  /** The chat's name for the account id. */
  token?: string
  /** The server's address; by default the origin of the script. */
  baseUrl?: string
  /** Who the visitor is, as far as the website knows. */
  customer?: Record<string, unknown>
  /** Parts of paths; on pages that match, nothing is recorded. */
  blocklist?: string[]
  /** Called first; nothing is sent unless it returns true. */
  consent?: () => boolean | Promise<boolean>
}

/** `window.Storytime`. */
export interface Storytime {
  /** Ends the session in this tab for good. */
  finish(): void
  /** Starts after the visitor has consented later. */
  start(): Promise<void>
  initialized: boolean
}

/** What the lazily loaded recording code needs from the always loaded script. */
export interface RecordingOptions {
  /**
   * Sends a frame whose payload is already JSON. `refused` is called with seconds to wait when the server refuses it.
   */
  push(event: string, json: string, refused: (seconds: number) => void): void
  /** Bytes not yet sent. */
  waiting(): number
  blocklist: string[]
  showsSign: boolean
  /** Called when the visitor does not want to be watched. */
  stop(): void
}

/** Records a page. Loaded when somebody watches, or when the last minute is kept. */
export interface Recording {
  /** How many people watch now, and whether somebody new has joined. */
  watch(watchers: number, isNew: boolean): void
  end(): void
}
