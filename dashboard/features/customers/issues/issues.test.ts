import { expect, it } from 'vitest'
import type { Issue } from '#contract/customers/issues.ts'
import { githubLink, groupIssues, stateChangesOf } from './issues.ts'

it('offers to move to done unless done, to closed unless closed, to unstarted unless that or in progress', () => {
  expect(stateChangesOf('unstarted')).toEqual(['done', 'closed'])
  expect(stateChangesOf('in_progress')).toEqual(['done', 'closed'])
  expect(stateChangesOf('in_review')).toEqual(['done', 'closed', 'unstarted'])
  expect(stateChangesOf('done')).toEqual(['closed', 'unstarted'])
  expect(stateChangesOf('closed')).toEqual(['done', 'unstarted'])
})

it('groups issues: those done stand first, then what is neither done nor closed, then what is closed', () => {
  const all = (['closed', 'in_review', 'done', 'unstarted', 'in_progress'] as const).map(
    (state) => ({ state }) as Issue,
  )
  const groups = groupIssues(all)
  expect(groups.recently_done.map(({ state }) => state)).toEqual(['done'])
  expect(groups.unfinished.map(({ state }) => state)).toEqual(['in_review', 'unstarted', 'in_progress'])
  expect(groups.closed.map(({ state }) => state)).toEqual(['closed'])
})

it('links to an external issue only if its URL is valid, and shows the path', () => {
  const link = { href: 'https://github.com/acme/shop/issues/12', text: 'acme/shop/issues/12' }
  expect(githubLink('https://github.com/acme/shop/issues/12')).toEqual(link)
  expect(githubLink('github.com/acme/shop/issues/12')).toEqual(link)
  expect(githubLink('https://github.com/acme/shop/pull/12')).toBeUndefined()
  expect(githubLink('javascript:alert(1)')).toBeUndefined()
  expect(githubLink(null)).toBeUndefined()
})
