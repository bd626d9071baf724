import type { Logger } from 'pino'

/** The four levels the platform writes to; any pino logger fits. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
