import type { SocketConnectOption } from 'phoenix'
import { readTokens } from '../session/session.ts'
import { storage } from '../storage.ts'

/** How every socket of a tab signs in. */
export const SOCKET_OPTIONS: Partial<SocketConnectOption> = {
  // Not in the address, which proxies log. A function is called at each connection, which the library's types do not
  // declare yet.
  authToken: (() => readTokens()?.token ?? '') as unknown as string,
  // The library would use session storage, which may be forbidden; it only matters for long polling.
  sessionStorage: storage,
}
