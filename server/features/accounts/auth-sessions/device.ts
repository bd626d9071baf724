import type { FastifyRequest } from 'fastify'
import type { Device } from './auth-sessions.ts'

/** The device that signs in, as its user will recognise it in the list of sessions. */
export function deviceOf(request: FastifyRequest): Device {
  return { user_agent: request.headers['user-agent'], address: request.ip }
}
