import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Socket } from 'phoenix'
import { WebSocket } from 'ws'

/** What one client has sent, in order, and what the server has acknowledged. */
export interface Sender {
  conversation_id: string
  sent: string[]
  acknowledged: Set<string>
}

/** Calls until there is an answer; retries after a lost answer, and while the server is down or busy. */
export async function callUntilAnswered(
  url: string,
  method: string,
  path: string,
  body?: object,
  token?: string,
  patience = 60_000,
) {
  const deadline = Date.now() + patience
  for (let pause = 5; ; pause = Math.min(pause * 2, 250)) {
    try {
      const answer = await fetch(url + path, {
        method,
        body: body && JSON.stringify(body),
        headers: { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: token }) },
        signal: AbortSignal.timeout(8_000),
      })
      if (answer.status < 500 && answer.status !== 429) return { status: answer.status, body: await answer.json() }
      await answer.body?.cancel()
    } catch {
      // The server may or may not have received it, which is why the message has an id.
    }
    if (Date.now() > deadline) throw new Error(`${method} ${path} got no answer in ${patience} ms.`)
    await sleep(pause)
  }
}

/** A company with an admin, registered over an unreliable connection if need be. */
export async function register(
  url: string,
  email: string,
  company_name = 'Chaos',
): Promise<{ account_id: string; token: string }> {
  const password = 'correct horse'
  const user = { company_name, email, password, password_confirmation: password }
  return (await callUntilAnswered(url, 'POST', '/api/registration', { user })).body.data
}

/** An account and a visitor with a conversation, opened over the same unreliable connection. */
export async function openConversation(url: string, account_id: string, inbox_id?: string) {
  const token = randomBytes(32).toString('base64url')
  const customer_id = randomUUID()
  const conversation_id = randomUUID()
  await callUntilAnswered(url, 'POST', '/api/visitor_sessions', { visitor_session: { account_id, token, customer_id } })
  await callUntilAnswered(
    url,
    'POST',
    '/api/conversations',
    { conversation: { id: conversation_id, ...(inbox_id && { inbox_id }) } },
    token,
  )
  return { token, customer_id, conversation_id }
}

type Opened = Awaited<ReturnType<typeof openConversation>>

/** Sends `count` messages over HTTP, one after the other. */
export async function sendOverHttp(
  url: string,
  { token, conversation_id }: Opened,
  count: number,
  pause = 0,
): Promise<Sender> {
  const sender: Sender = { conversation_id, sent: [], acknowledged: new Set() }
  for (let i = 0; i < count; i++) {
    const id = randomUUID()
    sender.sent.push(id)
    const answer = await callUntilAnswered(
      url,
      'POST',
      '/api/messages',
      { message: { id, conversation_id, body: `${i}` } },
      token,
    )
    if (answer.status !== 201) throw new Error(`Refused: ${JSON.stringify(answer.body)}`)
    sender.acknowledged.add(id)
    if (pause) await sleep(pause)
  }
  return sender
}

/** Sends `count` messages over a socket that is cut again and again; resends those without a reply. */
export async function sendOverSocket(
  url: string,
  { token, customer_id, conversation_id }: Opened,
  count: number,
): Promise<Sender> {
  const sender: Sender = { conversation_id, sent: [], acknowledged: new Set() }
  const socket = new Socket(`${url.replace('http', 'ws')}/socket`, {
    params: { visitor_token: token },
    transport: WebSocket,
    reconnectAfterMs: () => 20,
    rejoinAfterMs: () => 20,
  })
  socket.connect()
  const channel = socket.channel(`conversation:${conversation_id}`, { customer_id })
  channel.join()
  for (let i = 0; i < count; i++) {
    const id = randomUUID()
    sender.sent.push(id)
    while (!(await pushOnce(channel, { id, body: `${i}` })));
    sender.acknowledged.add(id)
  }
  socket.disconnect()
  return sender
}

/** Pushes a message once; whether it was acknowledged in time. */
export function pushOnce(channel: ReturnType<Socket['channel']>, payload: object, timeoutMs = 400): Promise<boolean> {
  return new Promise((resolve) => {
    channel
      .push('shout', payload, timeoutMs)
      .receive('ok', () => resolve(true))
      .receive('error', () => resolve(false))
      .receive('timeout', () => resolve(false))
  })
}
