import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientEvent } from '#contract/events.ts'
import { message } from '../../testing/samples.ts'
import { createCatchUp, type EventPage } from './catch-up.ts'

const event = (number: number): ClientEvent => ({ event: 'shout', payload: message({ number }) })
const page = (cursor: string, overrides: Partial<EventPage> = {}): EventPage => ({
  data: [],
  cursor,
  more: false,
  reset: false,
  ...overrides,
})

const fetchPage = vi.fn<(after: string | undefined) => Promise<EventPage>>()
const apply = vi.fn()
const reload = vi.fn()

beforeEach(() => {
  vi.resetAllMocks()
})

describe('catching up', () => {
  it('starts at the log’s position before anything was loaded', async () => {
    fetchPage.mockResolvedValueOnce(page('10')).mockResolvedValueOnce(page('12', { data: [event(1)] }))
    const catchUp = createCatchUp({ fetchPage, apply, reload })
    await catchUp.start()
    await catchUp.run()
    expect(fetchPage.mock.calls).toEqual([[undefined], ['10']])
    expect(apply).toHaveBeenCalledWith([event(1)])
    expect(reload).not.toHaveBeenCalled()
  })

  it('applies a live event that arrives before older ones were fetched again after them', async () => {
    fetchPage.mockResolvedValueOnce(page('1')).mockResolvedValueOnce(page('2', { data: [event(1)] }))
    const catchUp = createCatchUp({ fetchPage, apply, reload })
    await catchUp.start()
    const running = catchUp.run()
    catchUp.arrive([event(2)])
    await running
    expect(apply.mock.calls).toEqual([[[event(1), event(2)]]])
  })

  it('fetches page after page until there is no more', async () => {
    fetchPage
      .mockResolvedValueOnce(page('1'))
      .mockResolvedValueOnce(page('2', { more: true, data: [event(1)] }))
      .mockResolvedValueOnce(page('3', { data: [event(2)] }))
    const catchUp = createCatchUp({ fetchPage, apply, reload })
    await catchUp.start()
    await catchUp.run()
    expect(fetchPage.mock.calls.map(([after]) => after)).toEqual([undefined, '1', '2'])
    expect(apply.mock.calls).toEqual([[[event(1)]], [[event(2)]]])
  })

  it('reloads everything if the cursor is too old', async () => {
    fetchPage.mockResolvedValueOnce(page('1')).mockResolvedValueOnce(page('90', { reset: true }))
    const catchUp = createCatchUp({ fetchPage, apply, reload })
    await catchUp.start()
    await catchUp.run()
    expect(reload).toHaveBeenCalledTimes(1)
    expect(apply).not.toHaveBeenCalled()
  })

  it('continues from a position sent by the socket, but not from one sent too early', async () => {
    fetchPage.mockResolvedValue(page('5'))
    const catchUp = createCatchUp({ fetchPage, apply, reload })
    await catchUp.start()
    catchUp.moveTo('7, sent before anything was caught up')
    await catchUp.run()
    catchUp.moveTo('9')
    catchUp.fallBehind()
    catchUp.moveTo('11, sent while away')
    await catchUp.run()
    expect(fetchPage.mock.calls.map(([after]) => after)).toEqual([undefined, '5', '9'])
  })

  it('reloads everything if it never learned the log’s position', async () => {
    fetchPage.mockRejectedValueOnce(new Error('away')).mockResolvedValue(page('3'))
    const catchUp = createCatchUp({ fetchPage, apply, reload })
    await catchUp.start().catch(() => {})
    await catchUp.run()
    expect(reload).toHaveBeenCalledTimes(1)
    expect(fetchPage.mock.calls.at(-1)).toEqual(['3'])
  })

  it('keeps its position if the server becomes unavailable', async () => {
    fetchPage
      .mockResolvedValueOnce(page('1'))
      .mockResolvedValueOnce(page('2', { more: true, data: [event(1)] }))
      .mockRejectedValueOnce(new Error('away'))
      .mockResolvedValueOnce(page('3'))
    const catchUp = createCatchUp({ fetchPage, apply, reload })
    await catchUp.start()
    await expect(catchUp.run()).rejects.toThrow('away')
    await catchUp.run()
    expect(fetchPage.mock.calls.map(([after]) => after)).toEqual([undefined, '1', '2', '2'])
  })
})
