declare module 'phoenix-1.5' {
  import type { Presence, Socket } from 'phoenix'

  /** The version that published clients bundle. It exports the same parts as today's. */
  const phoenix: { Socket: typeof Socket; Presence: typeof Presence }
  export default phoenix
}
