import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RequestOutcome, toOutcome } from '../request.ts'
import {
  addUnsent,
  adoptConversation,
  endSession,
  NO_VISITOR_DATA,
  planStep,
  resolveStep,
  retryUnsent,
  type Step,
  switchTo,
  type VisitorData,
} from './outbox.ts'

const make = { newId: randomUUID, newSecret: () => `secret-${randomUUID()}` }
const unsent = (body: string) => ({ id: randomUUID(), body, sent_at: '2026-01-01T00:00:00.000Z' })
const DONE: RequestOutcome = { kind: 'done', answer: {} }

/** A server that stores each id once, and refuses steps whose session or conversation is missing. */
function createServer() {
  const sessions = new Map<string, string>()
  const conversations = new Map<string, string>()
  const stored: { id: string; body: string; conversation_id: string }[] = []
  function answer(step: Step): RequestOutcome {
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
    const existing = stored.find((message) => message.id === id)
    if (existing && existing.conversation_id !== step.conversation_id)
      return { kind: 'refused', status: 422, fields: ['id'] }
    if (!existing) stored.push({ id, body, conversation_id: step.conversation_id })
    return DONE
  }
  return { answer, stored, sessions, conversations }
}

/** Performs one step; the outcome that reaches the browser may differ from what the server answered. */
function runStep(stored: VisitorData, on: (step: Step) => RequestOutcome): VisitorData {
  const plan = planStep(stored, make)
  return plan ? resolveStep(plan.stored, plan.step, on(plan.step), make) : stored
}

test('nothing is created on the server before there is something to say', () => {
  expect(planStep(NO_VISITOR_DATA, make)).toBeUndefined()
})

test('ids are in storage before they are sent', () => {
  const plan = planStep(addUnsent(NO_VISITOR_DATA, unsent('Hello')), make)!
  expect(plan.step).toMatchObject({ kind: 'open session', token: plan.stored.session!.token })
  expect(planStep(plan.stored, make)!.step).toEqual(plan.step)
})

test('whatever responses get lost, each message is sent with one id, once, and in order', () => {
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
      let stored = NO_VISITOR_DATA
      for (const happens of moments) {
        if (happens === 'writes') {
          const message = unsent(`text ${written.length}`)
          written.push(message)
          stored = addUnsent(stored, message)
          continue
        }
        const plan = planStep(stored, make)
        if (!plan) continue
        stored = plan.stored
        const outcome = happens === 'request lost' ? undefined : server.answer(plan.step)
        if (happens === 'window closed before the answer') continue
        stored = resolveStep(stored, plan.step, happens === 'answered' ? outcome! : { kind: 'later' }, make)
      }
      while (stored.outbox.length > 0) stored = runStep(stored, server.answer)
      expect(server.stored.map(({ id, body }) => ({ id, body }))).toEqual(written.map(({ id, body }) => ({ id, body })))
      expect(server.conversations.size).toBeLessThanOrEqual(1)
      expect(server.sessions.size).toBeLessThanOrEqual(1)
    }),
    { seed: 20_261_121 },
  )
})

test('an unknown session is replaced, and unsent messages are sent with the new one', () => {
  const server = createServer()
  let stored = addUnsent(NO_VISITOR_DATA, unsent('first'))
  while (stored.outbox.length > 0) stored = runStep(stored, server.answer)
  server.sessions.clear()
  stored = addUnsent(addUnsent(stored, unsent('second')), unsent('third'))
  while (stored.outbox.length > 0) stored = runStep(stored, server.answer)
  expect(server.stored.map(({ body }) => body)).toEqual(['first', 'second', 'third'])
  expect(server.stored[1]!.conversation_id).not.toBe(server.stored[0]!.conversation_id)
})

test('a message stored just before its session ended is sent again in the new conversation', () => {
  const server = createServer()
  const message = unsent('said twice')
  let stored = addUnsent(NO_VISITOR_DATA, message)
  for (let i = 0; i < 2; i++) stored = runStep(stored, server.answer)
  const lost = planStep(stored, make)!
  server.answer(lost.step)
  stored = endSession(lost.stored)
  while (stored.outbox.length > 0) stored = runStep(stored, server.answer)
  expect(server.stored).toHaveLength(2)
  expect(server.stored[1]!.id).not.toBe(message.id)
})

test('a refused message waits for the visitor while others are sent', () => {
  const server = createServer()
  let stored = addUnsent(addUnsent(NO_VISITOR_DATA, unsent('bad')), unsent('good'))
  const picky = (step: Step): RequestOutcome =>
    step.kind === 'post message' && step.message.body === 'bad'
      ? { kind: 'refused', status: 422, fields: ['message.body'] }
      : server.answer(step)
  for (let i = 0; i < 5; i++) stored = runStep(stored, picky)
  expect(stored.outbox).toMatchObject([{ body: 'bad', refused: true }])
  expect(server.stored.map(({ body }) => body)).toEqual(['good'])
  expect(planStep(stored, make)).toBeUndefined()
  stored = runStep(retryUnsent(stored, stored.outbox[0]!.id), server.answer)
  expect(stored.outbox).toEqual([])
})

test('if the account does not exist, everything is refused instead of retried for ever', () => {
  const stored = runStep(addUnsent(NO_VISITOR_DATA, unsent('Hello?')), () => ({
    kind: 'refused',
    status: 422,
    fields: ['account_id'],
  }))
  expect(stored.outbox).toMatchObject([{ refused: true }])
  expect(planStep(stored, make)).toBeUndefined()
})

test('the response to a step of an earlier session changes nothing', () => {
  const first = planStep(addUnsent(NO_VISITOR_DATA, unsent('Hello')), make)!
  const second = planStep(endSession(first.stored), make)!
  expect(resolveStep(second.stored, first.step, DONE, make)).toEqual(second.stored)
})

test('a conversation that was closed meanwhile is forgotten, unless messages wait for it', () => {
  const stored: VisitorData = { ...NO_VISITOR_DATA, conversation: { id: 'c', opened: true } }
  expect(adoptConversation(stored, null).conversation).toBeNull()
  expect(adoptConversation(addUnsent(stored, unsent('Still there?')), null).conversation).toEqual(stored.conversation)
  expect(adoptConversation(stored, 'other').conversation).toEqual({ id: 'other', opened: true })
})

test('only final errors are refusals: temporary ones are retried', () => {
  for (const status of [408, 409, 425, 429, 500, 502, 503])
    expect(toOutcome(status, {}, 0).kind, `${status}`).toBe('later')
  expect(toOutcome(429, {}, 7)).toEqual({ kind: 'later', seconds: 7 })
  expect(toOutcome(401, {}, 0).kind).toBe('signed out')
  expect(toOutcome(201, { data: 1 }, 0)).toEqual({ kind: 'done', answer: { data: 1 } })
  const body = { error: { errors: { body: ["can't be blank"] } } }
  for (const status of [400, 403, 404, 413, 422]) {
    expect(toOutcome(status, body, 0), `${status}`).toEqual({ kind: 'refused', status, fields: ['body'] })
  }
})

test('unsent messages stay in their conversation when the visitor opens another', () => {
  const conversation = { id: 'first', opened: true }
  const stored = { ...NO_VISITOR_DATA, session: { token: 't', customer_id: 'c', opened: true }, conversation }
  const waiting = addUnsent(stored, { id: 'm', body: 'hello', sent_at: '' })
  const turned = switchTo(waiting, 'second')
  expect(turned.conversation).toEqual({ id: 'second', opened: true })
  expect(planStep(turned, make)?.step).toMatchObject({ kind: 'post message', conversation_id: 'first' })
  // The first conversation is gone: its messages continue in the one on screen.
  const step = planStep(turned, make)!.step
  const lost = resolveStep(turned, step, { kind: 'refused', status: 404, fields: [] }, make)
  expect(planStep(lost, make)?.step).toMatchObject({ kind: 'post message', conversation_id: 'second' })
})

test('no other conversation can be opened while the first message creates one', () => {
  const stored = addUnsent(NO_VISITOR_DATA, { id: 'm', body: 'hello', sent_at: '' })
  expect(switchTo(stored, 'second')).toBe(stored)
})
