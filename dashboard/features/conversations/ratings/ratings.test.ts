import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { ClientEvent } from '#contract/events.ts'
import { remember } from '../../../platform/realtime/event-buffer.ts'
import { storeTokens } from '../../../platform/session/session.ts'
import { ME, storage } from '../../../testing/samples.ts'
import { applyRatingEvent, applyToRating, ratingQuery } from './queries.ts'

afterEach(() => vi.unstubAllGlobals())

const rated = (conversation_id: string, score = 5) =>
  ({ event: 'conversation:rated', payload: { conversation_id, score, comment: null } }) as unknown as ClientEvent

test('a received rating replaces the known one, in its own conversation only', () => {
  expect(applyToRating(null, rated('c1'), 'c1')).toMatchObject({ score: 5 })
  expect(applyToRating(null, rated('c2'), 'c1')).toBeNull()
})

test('a rating that arrives during a request is newer than the response', async () => {
  const response = Promise.withResolvers<Response>()
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('location', { protocol: 'http:', search: '' })
  vi.stubGlobal('fetch', () => response.promise)
  storeTokens({ user_id: ME, email: 'a', account_id: 'a1', token: 't', renew_token: 'r' })
  const client = new QueryClient()
  const answer = client.fetchQuery(ratingQuery('c3'))
  remember(rated('c3', 2))
  remember(rated('c4', 1))
  response.resolve(Response.json({ data: null }))
  expect(await answer).toMatchObject({ conversation_id: 'c3', score: 2 })
})

test('a new rating is shown at once, and a changed one replaces the old one', () => {
  const client = new QueryClient()
  const shown = () => client.getQueryData(ratingQuery('c5').queryKey)
  applyRatingEvent(client, rated('c5', 3))
  expect(shown()).toMatchObject({ score: 3 })
  applyRatingEvent(client, rated('c5', 4))
  applyRatingEvent(client, rated('c6', 1))
  expect(shown()).toMatchObject({ score: 4 })
})
