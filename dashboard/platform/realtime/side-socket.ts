import { Socket } from 'phoenix'
import { authSessions } from '#contract/auth-sessions.ts'
import { call } from '../http/api.ts'
import { logError } from '../http/errors.ts'
import { readTokens } from '../session/session.ts'
import { storage } from '../storage.ts'

const ASK_THROTTLE_MS = 10_000

/**
 * A socket beside that of the inbox, for as long as a page wants it. Watched pages of megabytes travel on it, and no message
 * has to wait behind them. Whoever opens it disconnects it.
 */
export function openSideSocket(): Socket {
  let askedAt = 0
  const socket = new Socket('/socket', {
    authToken: (() => readTokens()?.token ?? '') as unknown as string,
    sessionStorage: storage,
  })
  // A refused socket may mean a token that ran out: any call renews it.
  socket.onError(() => {
    if (Date.now() - askedAt < ASK_THROTTLE_MS) return
    askedAt = Date.now()
    call(authSessions.me, {}).catch((error) => logError('Session not renewed', error))
  })
  socket.connect()
  return socket
}
