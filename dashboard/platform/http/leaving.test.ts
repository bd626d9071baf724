import { expect, test, vi } from 'vitest'

test('what fails because the page is being left is not logged, but what fails on a page that stayed is', async () => {
  const listeners = new Map<string, () => void>()
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => listeners.set(name, listener))
  vi.useFakeTimers({ toFake: ['performance'] })
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { logError } = await import('./errors.ts')
  logError('Before', new Error('a call failed'))
  listeners.get('beforeunload')?.()
  logError('Meanwhile', new Error('the browser ended the call'))
  vi.advanceTimersByTime(10_000)
  logError('Afterwards', new Error('a call failed'))
  expect(log.mock.calls.map(([what]) => what)).toEqual(['Before', 'Afterwards'])
})
