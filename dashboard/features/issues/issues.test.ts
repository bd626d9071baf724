import { expect, it } from 'vitest'
import { movesOf } from './issues.ts'

it('offers to move to done unless done, to closed unless closed, to unstarted unless that or in progress', () => {
  expect(movesOf('unstarted')).toEqual(['done', 'closed'])
  expect(movesOf('in_progress')).toEqual(['done', 'closed'])
  expect(movesOf('in_review')).toEqual(['done', 'closed', 'unstarted'])
  expect(movesOf('done')).toEqual(['closed', 'unstarted'])
  expect(movesOf('closed')).toEqual(['done', 'unstarted'])
})
