declare module 'phoenix-1.5' {
  import type { Presence, Socket } from 'phoenix'

  /** What published clients bundle. Its module has one export, the same parts as today's. */
  const phoenix: { Socket: typeof Socket; Presence: typeof Presence }
  export default phoenix
}
