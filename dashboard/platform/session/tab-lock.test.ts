import { beforeEach, expect, it, vi } from 'vitest'
import { storage } from '../../testing/samples.ts'
import { withLock } from './tab-lock.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('navigator', {})
})

it('does the work also if the browser denies locks, and does not retry after an exception', async () => {
  vi.stubGlobal('navigator', {
    locks: { request: async () => Promise.reject(new DOMException('Access is denied.', 'SecurityError')) },
  })
  expect(await withLock('renewal', async () => 'done')).toBe('done')
  vi.stubGlobal('navigator', { locks: { request: async (_name: string, work: () => unknown) => work() } })
  const work = vi.fn().mockRejectedValue(new Error('refused'))
  await expect(withLock('renewal', work)).rejects.toThrow('refused')
  expect(work).toHaveBeenCalledTimes(1)
})

it('does not wait for a timestamp that is a day ahead', async () => {
  localStorage.setItem('renewal.lock', String(Date.now() + 86_400_000))
  expect(await withLock('renewal', async () => 'done')).toBe('done')
})
