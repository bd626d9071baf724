import { Socket } from 'phoenix'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { call } from '../http/api.ts'
import { logError } from '../http/errors.ts'
import { SOCKET_OPTIONS } from './socket-options.ts'

const RENEW_THROTTLE_MS = 10_000

/**
 * A separate socket for a page with large amounts of data, such as live sessions, so that it does not delay messages.
 * The caller disconnects it.
 */
export function openSideSocket(): Socket {
  let renewedAt = 0
  const socket = new Socket('/socket', SOCKET_OPTIONS)
  // A refused socket may mean an expired token, which any call renews.
  socket.onError(() => {
    if (Date.now() - renewedAt < RENEW_THROTTLE_MS) return
    renewedAt = Date.now()
    call(authSessions.me, {}).catch((error) => logError('Session not renewed', error))
  })
  socket.connect()
  return socket
}
