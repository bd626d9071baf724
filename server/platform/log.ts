import pino, { type DestinationStream, type Level, type Logger } from 'pino'
import { limitRepeats } from './log-repeats.ts'
import { currentRequestId } from './request-id.ts'

/** The four levels the platform writes to; any pino logger fits. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/**
 * The log of a server. Its lines have the level by name, the time in ISO 8601 and the current request id. Repeated trouble
 * is written at a limited rate.
 */
export function createLog(level: Level | 'silent', destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (name) => ({ level: name }) },
      mixin: requestIdOf,
      hooks: { logMethod: limitRepeats() },
    },
    destination,
  )
}

function requestIdOf() {
  const request_id = currentRequestId()
  return request_id ? { request_id } : {}
}
