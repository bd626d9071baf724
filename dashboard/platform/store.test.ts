import { expect, it, vi } from 'vitest'
import { createStore } from './store.ts'

it('notifies listeners of each change until they unsubscribe', () => {
  const store = createStore({ count: 0 })
  const listener = vi.fn()
  const stop = store.subscribe(listener)
  store.set(store.get())
  expect(listener).not.toHaveBeenCalled()
  store.set({ count: 1 })
  expect(listener).toHaveBeenCalledOnce()
  expect(store.get()).toEqual({ count: 1 })
  stop()
  store.set({ count: 2 })
  expect(listener).toHaveBeenCalledOnce()
})
