import type { FastifyRequest } from 'fastify'
import type { Device } from './auth-sessions.ts'

/** From where somebody signs in, as they will recognise it in the list of their sessions. */
export function deviceOf(request: FastifyRequest): Device {
  return { user_agent: request.headers['user-agent'], address: request.ip }
}
