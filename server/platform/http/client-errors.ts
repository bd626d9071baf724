import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** Errors before a request can be read, by the codes of Node's parser. */
const ANSWERS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The address and the headers of this request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
}
const UNREADABLE = { status: 400, message: 'This is no HTTP request that can be read.' }

/** Answers a request that Node's parser refuses, in the shape of all other errors, and ends the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, message } = ANSWERS[error.code ?? ''] ?? UNREADABLE
  const body = JSON.stringify({ error: { status, code: status, message } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'access-control-allow-origin: *',
    'cache-control: no-store',
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
