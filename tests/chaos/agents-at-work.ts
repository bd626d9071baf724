import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Socket } from 'phoenix'
import { WebSocket } from 'ws'
import { callUntilAnswered, openConversation, pushOnce, type Sender } from './clients.ts'
import { startListener } from './listener.ts'

const AGENTS = 20
const AGENT_PAUSE_MS = 1_000
const VISITOR_PAUSE_MS = 2_000
const TIMEOUT_MS = 60_000

/** What agents experienced: milliseconds of answered calls, and how many had which other outcome. */
export interface Experience {
  times: number[]
  /** By status, or `none` where no answer came. */
  unanswered: Record<string, number>
}

/** Agents of one company at two servers, and visitors who write to them, until `end` is called. */
export class AgentsAtWork {
  readonly #urls: string[]
  readonly #admin: { account_id: string; token: string }
  readonly #senders: Sender[] = []
  readonly #work: Promise<void>[] = []
  readonly #listeners: ReturnType<typeof startListener>[] = []
  #isOver = false
  #experience: Experience = { times: [], unanswered: {} }

  constructor(urls: string[], admin: { account_id: string; token: string }) {
    this.#urls = urls
    this.#admin = admin
  }

  async start(): Promise<void> {
    const { account_id } = this.#admin
    const desks = []
    for (let i = 0; i < AGENTS; i++) {
      const token = await this.#registerAgent(i)
      const url = this.#urls[i % this.#urls.length]!
      const listener = startListener(url, { token, account_id })
      await listener.start()
      this.#listeners.push(listener)
      desks.push({ token, url, opened: await openConversation(url, account_id) })
    }
    // Only now, so that every agent is there for every message.
    for (const [i, { token, url, opened }] of desks.entries()) {
      const [visitor, agent] = [newSender(opened.conversation_id), newSender(opened.conversation_id)]
      this.#senders.push(visitor, agent)
      this.#work.push(this.#answer(token, agent, i))
      this.#work.push(i % 2 ? this.#writeOverSocket(url, opened, visitor) : this.#writeOverHttp(opened, visitor))
    }
  }

  /** Calls that start from now on count in the returned experience, until the next phase. */
  startPhase(): Experience {
    this.#experience = { times: [], unanswered: {} }
    return this.#experience
  }

  /** Lets everybody finish what they are sending. Returns it, and what an agent's socket never received. */
  async end() {
    this.#isOver = true
    await Promise.all(this.#work)
    const acknowledged = this.#senders.flatMap((sender) => [...sender.acknowledged])
    const missed = await Promise.all(this.#listeners.map((listener) => listener.findMissed(acknowledged)))
    for (const listener of this.#listeners) listener.stop()
    return { senders: this.#senders, acknowledged: acknowledged.length, missed: [...new Set(missed.flat())] }
  }

  async #registerAgent(number: number): Promise<string> {
    const url = this.#urls[0]!
    const invited = await callUntilAnswered(url, 'POST', '/api/user_invitations', {}, this.#admin.token)
    const password = 'correct horse'
    const user = {
      email: `agent${number}@acme.test`,
      password,
      password_confirmation: password,
      invite_token: invited.body.data.token,
    }
    return (await callUntilAnswered(url, 'POST', '/api/registration', { user })).body.data.token
  }

  /** Reads the list, opens a thread, searches, or replies, at either server. */
  async #answer(token: string, sender: Sender, agent: number): Promise<void> {
    const { conversation_id } = sender
    // Agents do not all act in the same millisecond.
    await sleep(agent * 50)
    for (let step = 0; !this.#isOver; step++) {
      const url = this.#urls[(agent + step) % this.#urls.length]!
      const paths = [
        '/api/conversations?status=open&messages=last',
        `/api/messages?conversation_id=${conversation_id}`,
        '/api/search?q=question',
      ]
      const path = paths[step % 4]
      if (path) await this.#call(url + path, token)
      else await this.#reply(url, token, sender, step)
      await sleep(AGENT_PAUSE_MS)
    }
  }

  async #reply(url: string, token: string, sender: Sender, step: number): Promise<void> {
    const id = randomUUID()
    sender.sent.push(id)
    const message = { id, conversation_id: sender.conversation_id, body: `Answer ${step}` }
    while (!(await this.#call(`${url}/api/messages`, token, { message }))) await sleep(250)
    sender.acknowledged.add(id)
  }

  /** Whether the call was answered with 2xx. */
  async #call(url: string, token: string, body?: object): Promise<boolean> {
    const { times, unanswered } = this.#experience
    const started = performance.now()
    const status = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 'none',
    )
    times.push(performance.now() - started)
    if (typeof status === 'number' && status < 300) return true
    unanswered[status] = (unanswered[status] ?? 0) + 1
    return false
  }

  async #writeOverHttp(opened: { token: string; conversation_id: string }, sender: Sender): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const id = randomUUID()
      sender.sent.push(id)
      const message = { id, conversation_id: opened.conversation_id, body: `Question ${i}` }
      const url = this.#urls[i % this.#urls.length]!
      const { status } = await callUntilAnswered(url, 'POST', '/api/messages', { message }, opened.token, 300_000)
      if (status === 201) sender.acknowledged.add(id)
      await sleep(VISITOR_PAUSE_MS)
    }
  }

  async #writeOverSocket(
    url: string,
    { token, customer_id, conversation_id }: { token: string; customer_id: string; conversation_id: string },
    sender: Sender,
  ): Promise<void> {
    const socket = new Socket(`${url.replace('http', 'ws')}/socket`, {
      params: { visitor_token: token },
      transport: WebSocket,
      reconnectAfterMs: () => 500,
      rejoinAfterMs: () => 500,
    })
    socket.connect()
    const channel = socket.channel(`conversation:${conversation_id}`, { customer_id })
    channel.join()
    for (let i = 0; !this.#isOver; i++) {
      const id = randomUUID()
      sender.sent.push(id)
      while (!(await pushOnce(channel, { id, body: `Question ${i}` }, 10_000))) await sleep(250)
      sender.acknowledged.add(id)
      await sleep(VISITOR_PAUSE_MS)
    }
    socket.disconnect()
  }
}

function newSender(conversation_id: string): Sender {
  return { conversation_id, sent: [], acknowledged: new Set() }
}
