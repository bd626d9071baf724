import { beforeEach, describe, expect, it } from 'vitest'
import type { Message } from '#contract/conversations/messages.ts'
import { ApiError } from '../../../../platform/http/request.ts'
import { ME, message, storage } from '../../../../testing/samples.ts'
import { Outbox, type Outgoing } from './outbox.ts'

const offline = () => new ApiError(0, 'The server cannot be reached.')
const refusal = (text: string) => new ApiError(422, text)

let browserStorage: Storage
let posted: string[]
let sent: string[]
let returned: { body: string; missed: string[] }[]
let answers: (Message | Error)[]
let timers: (() => void)[]

function outgoing(id: string, overrides: Partial<Outgoing> = {}): Outgoing {
  const sent_at = `2026-11-20T10:00:0${posted.length}Z`
  const defaults = { user_id: ME, body: `Words of ${id}`, type: 'reply' as const, sent_at, last_seen_number: 3 }
  return { id, conversation_id: 'c1', state: 'sending', ...defaults, ...overrides }
}

function open() {
  return new Outbox({
    storage: browserStorage,
    later: (run) => timers.push(run),
    sent: ({ id }) => sent.push(id),
    outdated: ({ body }, missed) => returned.push({ body: body, missed: missed.map(({ id }) => id) }),
    async post({ id }) {
      posted.push(id)
      const answer = answers.shift() ?? message({ id })
      if (answer instanceof Error) throw answer
      return answer
    },
  })
}

const flushTasks = () => new Promise((resolve) => setTimeout(resolve, 5))

beforeEach(() => {
  browserStorage = storage()
  posted = []
  sent = []
  returned = []
  answers = []
  timers = []
})

describe('the outbox', () => {
  it('sends the messages of a conversation one after the other, and then forgets them', async () => {
    const outbox = open()
    for (const id of ['one', 'two', 'three']) outbox.send(outgoing(id))
    expect(outbox.of('c1').map(({ id }) => id)).toEqual(['one', 'two', 'three'])
    await flushTasks()
    expect(posted).toEqual(['one', 'two', 'three'])
    expect(sent).toEqual(['one', 'two', 'three'])
    expect(outbox.of('c1')).toEqual([])
    expect(browserStorage.length).toBe(0)
  })

  it('keeps the text of a refused message and shows the reason if it is short', async () => {
    const outbox = open()
    answers = [refusal('Too long'), refusal('x'.repeat(60))]
    outbox.send(outgoing('one'))
    outbox.send(outgoing('two'))
    await flushTasks()
    expect(outbox.of('c1')).toMatchObject([
      { body: 'Words of one', state: 'failed', error: 'Failed to send: Too long', waiting: false },
      { body: 'Words of two', state: 'failed', error: 'Message failed to send. Try again?' },
    ])
  })

  it('sends a failed message again under the same id, so that it cannot be stored twice', async () => {
    const outbox = open()
    answers = [offline()]
    outbox.send(outgoing('one'))
    await flushTasks()
    outbox.retry('one')
    await flushTasks()
    expect(posted).toEqual(['one', 'one'])
    expect(sent).toEqual(['one'])
  })

  it('sends no later message before one that waits for a connection', async () => {
    const outbox = open()
    answers = [offline()]
    outbox.send(outgoing('one'))
    outbox.send(outgoing('two'))
    await flushTasks()
    expect(posted).toEqual(['one'])
    outbox.resume()
    await flushTasks()
    expect(sent).toEqual(['one', 'two'])
  })

  it('sends an earlier message that is tried again before the later ones that wait', async () => {
    const outbox = open()
    answers = [refusal('No'), offline()]
    outbox.send(outgoing('one'))
    outbox.send(outgoing('two'))
    await flushTasks()
    outbox.retry('one')
    await flushTasks()
    expect(sent).toEqual(['one'])
  })

  it('retries automatically when a response was lost although the connection works', async () => {
    const outbox = open()
    answers = [offline()]
    outbox.send(outgoing('one'))
    await flushTasks()
    expect(timers).toHaveLength(1)
    timers[0]?.()
    await flushTasks()
    expect(sent).toEqual(['one'])
  })

  it('does not automatically retry a refused message', async () => {
    const outbox = open()
    answers = [refusal('No')]
    outbox.send(outgoing('one'))
    await flushTasks()
    outbox.resume()
    await flushTasks()
    expect(posted).toEqual(['one'])
    expect(timers).toEqual([])
  })

  it('returns a reply to an outdated view, with the messages its author has not seen', async () => {
    const outbox = open()
    const body = { error: { reason: 'outdated_view' }, data: { messages: [message({ number: 4 })] } }
    answers = [new ApiError(409, 'The customer wrote again', body)]
    outbox.send(outgoing('one'))
    await flushTasks()
    expect(returned).toEqual([{ body: 'Words of one', missed: ['m4'] }])
    expect(outbox.of('c1')).toEqual([])
  })

  it('continues with unsent messages after the page was closed, but not with another user’s', async () => {
    const before = open()
    answers = [offline()]
    before.send(outgoing('mine'))
    before.send(outgoing('theirs', { user_id: 99, conversation_id: 'c2' }))
    answers.push(offline())
    await flushTasks()
    posted = []
    const after = open()
    after.restore(ME)
    expect(after.of('c1')).toMatchObject([{ id: 'mine', body: 'Words of mine' }])
    after.resume()
    await flushTasks()
    expect(posted).toEqual(['mine'])
  })

  it('sends nothing after its author signed out, and everything when they are back', async () => {
    const before = open()
    answers = [offline()]
    before.send(outgoing('one'))
    await flushTasks()
    before.close()
    before.resume()
    before.send(outgoing('two'))
    timers[0]?.()
    await flushTasks()
    expect(posted).toEqual(['one'])
    const after = open()
    after.restore(ME)
    after.resume()
    await flushTasks()
    expect(sent).toEqual(['one', 'two'])
  })

  it('reports nothing about messages that were on their way when their author signed out', async () => {
    const outbox = open()
    answers = [new ApiError(409, 'The customer wrote again', { error: { reason: 'outdated_view' } })]
    outbox.send(outgoing('one'))
    outbox.send(outgoing('two', { conversation_id: 'c2' }))
    outbox.close()
    await flushTasks()
    expect([sent, returned]).toEqual([[], []])
    expect(browserStorage.length).toBe(2)
  })

  it('gives a failed message back for editing', async () => {
    const outbox = open()
    answers = [refusal('No')]
    outbox.send(outgoing('one'))
    await flushTasks()
    expect(outbox.withdraw('one')).toMatchObject({ body: 'Words of one' })
    expect(outbox.of('c1')).toEqual([])
    expect(browserStorage.length).toBe(0)
  })
})
