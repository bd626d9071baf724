import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Invalid, Refusal, TooMany } from '../../errors.ts'

/** The old wire had a second shape for these, which some clients still read. */
const OLD_DETAILS: Record<number, string> = { 400: 'Bad Request', 404: 'Not Found', 500: 'Internal Server Error' }

interface ErrorBody {
  error: { status: number; code: number; message: string; reason?: string; errors?: Record<string, string[]> }
  errors?: { detail: string }
}

function errorBody(status: number, message: string, more: object = {}): ErrorBody {
  const detail = OLD_DETAILS[status]
  return { error: { status, code: status, message, ...more }, ...(detail && { errors: { detail } }) }
}

/** Turns whatever a handler threw into the one answer that clients understand. Only our own faults are logged. */
export function answerError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (thrown instanceof Refusal) {
    if (thrown instanceof TooMany) reply.header('retry-after', thrown.retryAfterSeconds)
    const { status, message, reason, details, body } = thrown
    const errors = thrown instanceof Invalid ? thrown.errors : undefined
    return reply.status(status).send({ ...errorBody(status, message, { reason, errors, ...details }), ...body })
  }
  const status = 'statusCode' in thrown ? (thrown.statusCode ?? 500) : 500
  if (status < 500) return reply.status(status).send(errorBody(status, thrown.message))
  if (isDatabaseAway(thrown)) {
    request.log.warn({ err: thrown }, 'database away')
    reply.header('retry-after', 1)
    return reply
      .status(503)
      .send(errorBody(503, 'The database is restarting. Try again in a moment.', { reason: 'unavailable' }))
  }
  request.log.error({ err: thrown }, 'request failed')
  return reply.status(500).send(errorBody(500, 'Internal Server Error'))
}

export function answerNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return reply.status(404).send(errorBody(404, 'Not found'))
}

/** Connection lost, refused, or the server shutting down or starting: the work was not done and may be sent again. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(08|57P0[123])/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'].includes(code) ||
    /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error/i.test(
      error.message,
    )
  )
}
