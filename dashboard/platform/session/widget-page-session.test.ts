import { expect, test } from 'vitest'
import { ApiError } from '../http/request.ts'
import { parentDomain, readCookie, storeNextAddress } from './cookies.ts'
import { reactionTo } from './widget-page-session.ts'

test('a cookie is found by its whole name', () => {
  expect(readCookie('my_token=1; token=a%20b; domain=acme.test', 'token')).toBe('a b')
  expect(readCookie('token=%', 'token')).toBe('%')
  expect(readCookie('', 'token')).toBeUndefined()
})

test('the parent domain leaves out the first name, and numbers and single names have none', () => {
  expect(parentDomain('app.acme.test')).toBe('acme.test')
  expect(parentDomain('acme.test')).toBe('acme.test')
  expect(parentDomain('localhost')).toBeUndefined()
  expect(parentDomain('127.0.0.1')).toBeUndefined()
})

test('the URL is stored in a cookie of the parent domain, or of this host if the browser refuses that', () => {
  const written: string[] = []
  const strict = {
    get cookie() {
      return written.filter((cookie) => !cookie.includes('domain=')).join('; ')
    },
    set cookie(cookie: string) {
      written.push(cookie)
    },
  }
  storeNextAddress(strict, { href: 'https://app.co.uk/widget/1', hostname: 'app.co.uk' } as Location)
  expect(written).toEqual([
    'next=https%3A%2F%2Fapp.co.uk%2Fwidget%2F1; path=/; SameSite=Lax; max-age=3600; domain=co.uk',
    'next=https%3A%2F%2Fapp.co.uk%2Fwidget%2F1; path=/; SameSite=Lax; max-age=3600',
  ])
})

test('a lost session ends the page; other errors are shown', () => {
  expect(reactionTo(new ApiError(401, 'Unauthenticated'))).toBe('leave')
  expect(reactionTo(new ApiError(401, 'Not authenticated'))).toBe('leave')
  expect(reactionTo(new ApiError(0, 'The server cannot be reached.'))).toBe('tell')
  expect(reactionTo(new TypeError('Failed to fetch'))).toBe('tell')
  expect(reactionTo(new ApiError(403, 'Forbidden'))).toBe('tell')
  expect(reactionTo(new ApiError(401, 'Unauthorized access'))).toBe('tell')
  expect(reactionTo(new ApiError(404, 'Not found'))).toBe('tell')
})
