import { Socket } from 'phoenix'
import { authSessions } from '#contract/auth-sessions.ts'
import { call } from '../http/api.ts'
import { logError } from '../http/errors.ts'
import { readTokens } from '../session/session.ts'
import { storage } from '../storage.ts'

const RENEW_THROTTLE_MS = 10_000

/**
 * A separate socket for a page with large amounts of data, such as live sessions, so that it does not delay messages.
 * The caller disconnects it.
 */
export function openSideSocket(): Socket {
  let renewedAt = 0
  const socket = new Socket('/socket', {
    authToken: (() => readTokens()?.token ?? '') as unknown as string,
    sessionStorage: storage,
  })
  // A refused socket may mean an expired token, which any call renews.
  socket.onError(() => {
    if (Date.now() - renewedAt < RENEW_THROTTLE_MS) return
    renewedAt = Date.now()
    call(authSessions.me, {}).catch((error) => logError('Session not renewed', error))
  })
  socket.connect()
  return socket
}
