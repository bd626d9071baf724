import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Outcome, toOutcome } from '../request.ts'
import {
  addUnsent,
  adoptConversation,
  endSession,
  type Kept,
  NOTHING_KEPT,
  planStep,
  retryUnsent,
  type Step,
  settleStep,
  switchTo,
} from './outbox.ts'

const make = { newId: randomUUID, newSecret: () => `secret-${randomUUID()}` }
const words = (body: string) => ({ id: randomUUID(), body, sent_at: '2026-01-01T00:00:00.000Z' })
const DONE: Outcome = { kind: 'done', answer: {} }

/** A server that stores each id once, and refuses steps whose session or conversation is missing. */
function createServer() {
  const sessions = new Map<string, string>()
  const conversations = new Map<string, string>()
  const stored: { id: string; body: string; conversation_id: string }[] = []
  function answer(step: Step): Outcome {
    const customer_id = sessions.get(step.token)
    if (step.kind === 'open session') {
      sessions.set(step.token, step.customer_id)
      return DONE
    }
    if (!customer_id) return { kind: 'signed out' }
    if (step.kind === 'start conversation') {
      conversations.set(step.id, customer_id)
      return DONE
    }
    if (conversations.get(step.conversation_id) !== customer_id) return { kind: 'refused', status: 404, fields: [] }
    const { id, body } = step.message
    const present = stored.find((message) => message.id === id)
    if (present && present.conversation_id !== step.conversation_id)
      return { kind: 'refused', status: 422, fields: ['id'] }
    if (!present) stored.push({ id, body, conversation_id: step.conversation_id })
    return DONE
  }
  return { answer, stored, sessions, conversations }
}

/** Performs one step; the outcome that reaches the browser may differ from what the server answered. */
function take(kept: Kept, on: (step: Step) => Outcome): Kept {
  const plan = planStep(kept, make)
  return plan ? settleStep(plan.kept, plan.step, on(plan.step), make) : kept
}

test('nothing is created on the server before there is something to say', () => {
  expect(planStep(NOTHING_KEPT, make)).toBeUndefined()
})

test('ids are in storage before they are sent', () => {
  const plan = planStep(addUnsent(NOTHING_KEPT, words('Hello')), make)!
  expect(plan.step).toMatchObject({ kind: 'open session', token: plan.kept.session!.token })
  expect(planStep(plan.kept, make)!.step).toEqual(plan.step)
})

test('whatever answers get lost, each text is sent with one id, once, and in order', () => {
  const moment = fc.oneof(
    { weight: 3, arbitrary: fc.constant('answered') },
    { weight: 2, arbitrary: fc.constant('answer lost') },
    { weight: 2, arbitrary: fc.constant('request lost') },
    { weight: 1, arbitrary: fc.constant('window closed before the answer') },
    { weight: 3, arbitrary: fc.constant('writes') },
  )
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 60 }), (moments) => {
      const server = createServer()
      const written: { id: string; body: string }[] = []
      let kept = NOTHING_KEPT
      for (const happens of moments) {
        if (happens === 'writes') {
          const message = words(`text ${written.length}`)
          written.push(message)
          kept = addUnsent(kept, message)
          continue
        }
        const plan = planStep(kept, make)
        if (!plan) continue
        kept = plan.kept
        const outcome = happens === 'request lost' ? undefined : server.answer(plan.step)
        if (happens === 'window closed before the answer') continue
        kept = settleStep(kept, plan.step, happens === 'answered' ? outcome! : { kind: 'later' }, make)
      }
      while (kept.outbox.length > 0) kept = take(kept, server.answer)
      expect(server.stored.map(({ id, body }) => ({ id, body }))).toEqual(written.map(({ id, body }) => ({ id, body })))
      expect(server.conversations.size).toBeLessThanOrEqual(1)
      expect(server.sessions.size).toBeLessThanOrEqual(1)
    }),
    { seed: 20_261_121 },
  )
})

test('a session that the server no longer knows is replaced, and the unsent texts go out under the new one', () => {
  const server = createServer()
  let kept = addUnsent(NOTHING_KEPT, words('first'))
  while (kept.outbox.length > 0) kept = take(kept, server.answer)
  server.sessions.clear()
  kept = addUnsent(addUnsent(kept, words('second')), words('third'))
  while (kept.outbox.length > 0) kept = take(kept, server.answer)
  expect(server.stored.map(({ body }) => body)).toEqual(['first', 'second', 'third'])
  expect(server.stored[1]!.conversation_id).not.toBe(server.stored[0]!.conversation_id)
})

test('a text stored just before its session ended is said again in the new conversation', () => {
  const server = createServer()
  const message = words('said twice')
  let kept = addUnsent(NOTHING_KEPT, message)
  for (let i = 0; i < 2; i++) kept = take(kept, server.answer)
  const lost = planStep(kept, make)!
  server.answer(lost.step)
  kept = endSession(lost.kept)
  while (kept.outbox.length > 0) kept = take(kept, server.answer)
  expect(server.stored).toHaveLength(2)
  expect(server.stored[1]!.id).not.toBe(message.id)
})

test('a refused message waits for the visitor while the others go on', () => {
  const server = createServer()
  let kept = addUnsent(addUnsent(NOTHING_KEPT, words('bad')), words('good'))
  const picky = (step: Step): Outcome =>
    step.kind === 'post message' && step.message.body === 'bad'
      ? { kind: 'refused', status: 422, fields: ['message.body'] }
      : server.answer(step)
  for (let i = 0; i < 5; i++) kept = take(kept, picky)
  expect(kept.outbox).toMatchObject([{ body: 'bad', refused: true }])
  expect(server.stored.map(({ body }) => body)).toEqual(['good'])
  expect(planStep(kept, make)).toBeUndefined()
  kept = take(retryUnsent(kept, kept.outbox[0]!.id), server.answer)
  expect(kept.outbox).toEqual([])
})

test('an account that does not exist refuses everything instead of asking for ever', () => {
  const kept = take(addUnsent(NOTHING_KEPT, words('Hello?')), () => ({
    kind: 'refused',
    status: 422,
    fields: ['account_id'],
  }))
  expect(kept.outbox).toMatchObject([{ refused: true }])
  expect(planStep(kept, make)).toBeUndefined()
})

test('the answer to a step of an earlier session changes nothing', () => {
  const first = planStep(addUnsent(NOTHING_KEPT, words('Hello')), make)!
  const second = planStep(endSession(first.kept), make)!
  expect(settleStep(second.kept, first.step, DONE, make)).toEqual(second.kept)
})

test('a conversation closed while nobody was here is forgotten, unless words are waiting for it', () => {
  const kept: Kept = { ...NOTHING_KEPT, conversation: { id: 'c', opened: true } }
  expect(adoptConversation(kept, null).conversation).toBeNull()
  expect(adoptConversation(addUnsent(kept, words('Still there?')), null).conversation).toEqual(kept.conversation)
  expect(adoptConversation(kept, 'other').conversation).toEqual({ id: 'other', opened: true })
})

test('only a real refusal is one: what is worth repeating is repeated', () => {
  for (const status of [408, 409, 425, 429, 500, 502, 503])
    expect(toOutcome(status, {}, 0).kind, `${status}`).toBe('later')
  expect(toOutcome(429, {}, 7)).toEqual({ kind: 'later', seconds: 7 })
  expect(toOutcome(401, {}, 0).kind).toBe('signed out')
  expect(toOutcome(201, { data: 1 }, 0)).toEqual({ kind: 'done', answer: { data: 1 } })
  const said = { error: { errors: { body: ["can't be blank"] } } }
  for (const status of [400, 403, 404, 413, 422]) {
    expect(toOutcome(status, said, 0), `${status}`).toEqual({ kind: 'refused', status, fields: ['body'] })
  }
})

test('words that wait stay with the conversation they were written in when the visitor turns to another', () => {
  const conversation = { id: 'first', opened: true }
  const kept = { ...NOTHING_KEPT, session: { token: 't', customer_id: 'c', opened: true }, conversation }
  const waiting = addUnsent(kept, { id: 'm', body: 'hello', sent_at: '' })
  const turned = switchTo(waiting, 'second')
  expect(turned.conversation).toEqual({ id: 'second', opened: true })
  expect(planStep(turned, make)?.step).toMatchObject({ kind: 'post message', conversation_id: 'first' })
  // The first conversation is gone: its messages continue in the one on screen.
  const step = planStep(turned, make)!.step
  const lost = settleStep(turned, step, { kind: 'refused', status: 404, fields: [] }, make)
  expect(planStep(lost, make)?.step).toMatchObject({ kind: 'post message', conversation_id: 'second' })
})

test('there is no turning while the first words are about to open a conversation', () => {
  const kept = addUnsent(NOTHING_KEPT, { id: 'm', body: 'hello', sent_at: '' })
  expect(switchTo(kept, 'second')).toBe(kept)
})
