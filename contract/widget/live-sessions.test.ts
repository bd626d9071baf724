import { expect, test } from 'vitest'
import { isOnHosts } from './live-sessions.ts'

const HOSTS = ['example.com', 'localhost:3000']

test.each([
  'https://example.com/a.png',
  'http://WWW.Example.com?a',
  'https://cdn.example.com:8443/font.woff2',
  'http://localhost:3000/a.css',
])('%s lies on one of the hosts', (address) => {
  expect(isOnHosts(address, HOSTS)).toBe(true)
})

test.each([
  'https://example.com.evil.test/a.png',
  'https://notexample.com/a.png',
  'https://example.com@evil.test/a.png',
  'https://example.com:80@evil.test/a.png',
  'https://evil.test\\@example.com/a.png',
  'https://evil.test/#.example.com',
  'https://evil.test?.example.com',
  'http://localhost/a.css',
  'http://localhost:30001/a.css',
  'file://example.com/etc/passwd',
  '//example.com/a.png',
])('%s does not', (address) => {
  expect(isOnHosts(address, HOSTS)).toBe(false)
})
