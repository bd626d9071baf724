import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAutosave, type SaveState } from './autosave.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function start(save = vi.fn(async () => {})) {
  const shown: SaveState['is'][] = []
  return { save, shown, autosave: createAutosave(save, ({ is }) => shown.push(is)) }
}

test('a change is saved 400 ms after the last one', async () => {
  const { save, shown, autosave } = start()
  autosave.schedule()
  await vi.advanceTimersByTimeAsync(399)
  autosave.schedule()
  await vi.advanceTimersByTimeAsync(399)
  expect(save).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(save).toHaveBeenCalledTimes(1)
  expect(shown).toEqual(['saving', 'saved'])
})

test('nothing is shown as saved that was changed since', async () => {
  const { shown, autosave } = start()
  autosave.schedule()
  await vi.advanceTimersByTimeAsync(400)
  autosave.schedule()
  autosave.schedule()
  expect(shown).toEqual(['saving', 'saved', 'rest'])
  await vi.advanceTimersByTimeAsync(400)
  expect(shown).toEqual(['saving', 'saved', 'rest', 'saving', 'saved'])
})

test('leaving a field saves unsaved changes at once', async () => {
  const { save, autosave } = start()
  await autosave.flush()
  expect(save).not.toHaveBeenCalled()
  autosave.schedule()
  await autosave.flush()
  await vi.advanceTimersByTimeAsync(1000)
  expect(save).toHaveBeenCalledTimes(1)
})

test('changes during a save are saved after it, never at the same time', async () => {
  let finish = () => {}
  const save = vi.fn(() => new Promise<void>((done) => (finish = done)))
  const { shown, autosave } = start(save)
  autosave.schedule()
  void autosave.flush()
  autosave.schedule()
  await vi.advanceTimersByTimeAsync(1000)
  expect(save).toHaveBeenCalledTimes(1)
  finish()
  await vi.advanceTimersByTimeAsync(0)
  expect(save).toHaveBeenCalledTimes(2)
  finish()
  await vi.advanceTimersByTimeAsync(0)
  expect(shown).toEqual(['saving', 'saving', 'saved'])
})

test('changes during a save are sent once when the page is left', async () => {
  const { save, autosave } = start(vi.fn(() => new Promise<void>(() => {})))
  autosave.schedule()
  void autosave.flush()
  autosave.schedule()
  autosave.leave()
  autosave.leave()
  await vi.advanceTimersByTimeAsync(1000)
  expect(save).toHaveBeenCalledTimes(2)
})

test('a failed save is reported and can be retried', async () => {
  const save = vi.fn(async () => {})
  save.mockRejectedValueOnce(new Error('no line'))
  const { shown, autosave } = start(save)
  autosave.schedule()
  await autosave.flush()
  expect(shown).toEqual(['saving', 'failed'])
  await autosave.flush()
  expect(shown.at(-1)).toBe('saved')
})
