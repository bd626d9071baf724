import { expect, test } from 'vitest'
import type { HeardEvent } from '#contract/events.ts'
import { applyToRating } from './ratings.ts'

const rated = (conversation_id: string) =>
  ({ event: 'conversation:rated', payload: { conversation_id, score: 5, comment: null } }) as unknown as HeardEvent

test('a rating that is heard takes the place of what was known, in its own conversation only', () => {
  expect(applyToRating(null, rated('c1'), 'c1')).toMatchObject({ score: 5 })
  expect(applyToRating(null, rated('c2'), 'c1')).toBeNull()
})
