import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Invalid, Refusal, TooMany } from '../../errors.ts'
import { asRefusal } from '../db/problems.ts'
import { AddressRefused } from '../outbound/guard.ts'
import { OutboundFailed } from '../outbound/outbound.ts'

/** Papercups had a second shape for these, which some clients still read. */
const OLD_DETAILS: Record<number, string> = { 400: 'Bad Request', 404: 'Not Found', 500: 'Internal Server Error' }

interface ErrorBody {
  error: { status: number; code: number; message: string; reason?: string; errors?: Record<string, string[]> }
  errors?: { detail: string }
}

/** The envelope of every error. */
export function errorBody(status: number, message: string, more: object = {}): ErrorBody {
  const detail = OLD_DETAILS[status]
  return { error: { status, code: status, message, ...more }, ...(detail && { errors: { detail } }) }
}

/** Turns any thrown error into the standard error response. Only internal errors are logged. */
export function answerError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (thrown instanceof Refusal) {
    if (thrown instanceof TooMany) reply.header('retry-after', thrown.retryAfterSeconds)
    const { status, message, reason, details, body } = thrown
    const errors = thrown instanceof Invalid ? thrown.errors : undefined
    return reply.status(status).send({ ...errorBody(status, message, { reason, errors, ...details }), ...body })
  }
  // Of addresses that people entered: what could not be reached, and why.
  if (thrown instanceof AddressRefused || thrown instanceof OutboundFailed)
    return reply.status(422).send(errorBody(422, thrown.message, { reason: 'unreachable' }))
  const status = 'statusCode' in thrown ? (thrown.statusCode ?? 500) : 500
  if (status < 500) return reply.status(status).send(errorBody(status, thrown.message))
  const refusal = asRefusal(thrown)
  if (refusal) {
    request.log.warn({ err: thrown }, refusal.message)
    reply.header('retry-after', 1)
    return reply.status(503).send(errorBody(503, refusal.message, { reason: refusal.reason }))
  }
  request.log.error({ err: thrown }, 'A request failed')
  return reply.status(500).send(errorBody(500, 'Internal Server Error'))
}

/** The response for unknown addresses. */
export function answerNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return reply.status(404).send(errorBody(404, 'Not found'))
}
