import pino, { type DestinationStream, type Level, type Logger } from 'pino'
import { currentRequestId } from './request-id.ts'

/** The four levels the platform writes to; any pino logger fits. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** The log of a server. Its lines include the current request id. */
export function createLog(level: Level | 'silent', destination: DestinationStream = pino.destination(1)): Logger {
  const redact = ['req.headers.authorization', 'req.headers.cookie']
  return pino({ level, redact, mixin: requestIdOf }, destination)
}

function requestIdOf() {
  const request_id = currentRequestId()
  return request_id ? { request_id } : {}
}
