import { WebSocket } from 'ws'
import type { Connection } from './connection.ts'

/** All sockets share their listeners: `this` leads to the connection. */
export class ServerSocket extends WebSocket {
  connection: Connection | undefined
  /** Of `ws`, where it parses frames. */
  declare _receiver?: { _maxPayload: number }

  /**
   * Sets how large a frame may be. `ws` compares the size in a frame's header before it takes any of its bytes, but only
   * with a limit that it is given when it accepts the socket, when nothing is known about the client's topics.
   */
  limitFrames(bytes: number): void {
    if (!this._receiver) throw new Error('This version of ws keeps the limit of frames elsewhere.')
    this._receiver._maxPayload = bytes
  }
}
