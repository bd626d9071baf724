import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to the vendor. */
export interface VendorRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  token: string | undefined
  text: string
  /** As it arrived: a form with files is no text. */
  bytes: Buffer
  /** Parsed JSON, or the fields of a form. */
  body: Record<string, unknown>
}

export interface VendorAnswer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
}

/**
 * What happens to the next call instead of a normal answer: a refusal, silence, or, after it was carried out, an answer
 * that is lost or replaced.
 */
export type Fault = { kind: 'fail' | 'fail after'; answer: VendorAnswer } | { kind: 'hang' | 'lose' }

export interface Vendor {
  url: string
  /** Sets the fault of calls that no other method below was given one for. */
  disturb(trouble: (call: string) => Fault | undefined): void
  requests: VendorRequest[]
  /** The next calls that begin with this, such as `POST /contacts`, are refused. */
  fail(call: string, answer: VendorAnswer, times?: number): void
  /** The next such call is never answered. */
  hang(call: string): void
  /** The next such call is carried out, but its answer never comes. */
  lose(call: string): void
  /** The next such call is carried out, and answered as if it had failed. */
  failAfter(call: string, answer: VendorAnswer): void
  /** The requests whose call begins with this text. */
  requestsTo(call: string): VendorRequest[]
  close(): Promise<void>
}

/**
 * A vendor's service on this machine, with faults on demand. Where `handle` returns nothing, the request is forwarded,
 * so it may stand in front of a larger emulator and add what that lacks.
 */
export async function startVendor(
  handle: (request: VendorRequest) => VendorAnswer | undefined | Promise<VendorAnswer | undefined>,
  behind?: string,
): Promise<Vendor> {
  const faults: { call: string; fault: Fault }[] = []
  const requests: VendorRequest[] = []
  let trouble: (call: string) => Fault | undefined = () => undefined

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming)
    requests.push(request)
    const fault = nextFault(`${request.method} ${request.path}`)
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'fail') return send(response, fault.answer)
    const answer =
      (await handle(request)) ?? (behind ? await passOn(behind, request) : { status: 404, body: NOT_FOUND })
    if (fault?.kind === 'lose') return void incoming.socket.destroy()
    send(response, fault?.kind === 'fail after' ? fault.answer : answer)
  }

  function nextFault(call: string): Fault | undefined {
    const index = faults.findIndex((entry) => call.startsWith(entry.call))
    return index < 0 ? trouble(call) : faults.splice(index, 1)[0]!.fault
  }

  const server = createServer((request, response) => {
    void serve(request, response).catch((error) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    disturb(newTrouble) {
      trouble = newTrouble
    },
    fail(call, answer, times = 1) {
      for (let i = 0; i < times; i++) faults.push({ call, fault: { kind: 'fail', answer } })
    },
    hang: (call) => void faults.push({ call, fault: { kind: 'hang' } }),
    lose: (call) => void faults.push({ call, fault: { kind: 'lose' } }),
    failAfter: (call, answer) => void faults.push({ call, fault: { kind: 'fail after', answer } }),
    requestsTo: (call) => requests.filter(({ method, path }) => `${method} ${path}`.startsWith(call)),
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Redirects as a consent page does, with a code or a refusal. */
export function goBack({ query }: VendorRequest, answer: { code: string } | { error: string }): VendorAnswer {
  const back = new URL(query.get('redirect_uri') ?? '')
  for (const [name, value] of Object.entries({ ...answer, state: query.get('state') ?? '' })) {
    back.searchParams.set(name, value)
  }
  return { status: 302, headers: { location: back.href } }
}

const NOT_FOUND = { message: 'Not Found' }

async function read(incoming: IncomingMessage): Promise<VendorRequest> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  const text = bytes.toString()
  const { pathname: path, searchParams: query } = new URL(incoming.url!, 'http://vendor.test')
  const { headers, method = 'GET' } = incoming
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : text.startsWith('{') ? JSON.parse(text) : {}
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  return { method, path, query, headers, token, text, bytes, body }
}

async function passOn(behind: string, { method, path, query, headers, text }: VendorRequest): Promise<VendorAnswer> {
  const { host: _, connection: __, 'content-length': ___, ...rest } = headers
  const search = query.size > 0 ? `?${query}` : ''
  const answer = await fetch(`${behind}${path}${search}`, {
    method,
    headers: rest as Record<string, string>,
    redirect: 'manual',
    ...(text && { body: text }),
  })
  const type = answer.headers.get('content-type') ?? 'application/json'
  const location = answer.headers.get('location')
  return {
    status: answer.status,
    headers: { 'content-type': type, ...(location && { location }) },
    body: await answer.text(),
  }
}

function send(response: ServerResponse, { status = 200, body, headers = {} }: VendorAnswer): void {
  const isText = typeof body === 'string'
  if (Buffer.isBuffer(body)) return void response.writeHead(status, headers).end(body)
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
  response.end(body === undefined ? '' : isText ? body : JSON.stringify(body))
}
