import { beforeEach, expect, it, vi } from 'vitest'
import { storage as fakeStorage } from '../testing/samples.ts'
import { storage } from './storage.ts'

let browserStorage: Storage

beforeEach(() => {
  browserStorage = fakeStorage()
  vi.stubGlobal('localStorage', browserStorage)
})

const listKeys = () => Array.from({ length: storage.length }, (_unused, at) => storage.key(at))

it('is local storage where that works', () => {
  storage.setItem('draft', 'words')
  expect(browserStorage.getItem('draft')).toBe('words')
  browserStorage.setItem('draft', 'words of another tab')
  expect(storage.getItem('draft')).toBe('words of another tab')
  storage.removeItem('draft')
  expect([storage.getItem('draft'), storage.length]).toEqual([null, 0])
})

it('works in memory while local storage is full, and stores everything once there is room', () => {
  storage.setItem('draft', 'Hel')
  const setItem = vi.spyOn(browserStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  storage.setItem('draft', 'Hello')
  storage.setItem('other', 'words')
  expect(storage.getItem('draft')).toBe('Hello')
  expect(listKeys()).toEqual(['draft', 'other'])
  setItem.mockRestore()
  storage.setItem('draft', 'Hello!')
  expect(browserStorage.getItem('draft')).toBe('Hello!')
  storage.removeItem('other')
  expect(listKeys()).toEqual(['draft'])
})

it('lets people work where the browser forbids storage', () => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    },
  })
  expect(storage.getItem('session')).toBeNull()
  storage.setItem('session', 'tokens')
  expect([storage.getItem('session'), listKeys()]).toEqual(['tokens', ['session']])
  storage.removeItem('session')
  expect(storage.length).toBe(0)
})
