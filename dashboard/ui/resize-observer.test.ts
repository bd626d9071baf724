import { beforeEach, expect, test, vi } from 'vitest'
import { repairResizeObserver } from './resize-observer.ts'

/** An element of a size, with others in it. */
class Box {
  readonly offsetWidth = 100
  readonly offsetHeight: number
  readonly #inner: Box[]

  constructor(offsetHeight: number, inner: Box[] = []) {
    this.offsetHeight = offsetHeight
    this.#inner = inner
  }

  contains(other: Box): boolean {
    return other === this || this.#inner.includes(other)
  }
}

type Report = (entries: { target: Box; borderBoxSize: { inlineSize: number; blockSize: number }[] }[]) => void

/** What the browser's own observer was asked to observe, how it reports, and what runs in the next frame. */
let observed: Box[]
let report: Report
let frame: (() => void)[]
let observer: { observe(box: Box): void; unobserve(box: Box): void }
let callback = vi.fn<Report>()

beforeEach(() => {
  vi.stubGlobal('HTMLElement', Box)
  observed = []
  frame = []
  callback = vi.fn<Report>()
  class Native {
    constructor(own: Report) {
      report = own
    }
    observe(box: Box) {
      observed.push(box)
    }
    unobserve() {}
    disconnect() {}
  }
  const window = { ResizeObserver: Native, requestAnimationFrame: (next: () => void) => frame.push(next) }
  repairResizeObserver(window as never)
  const Repaired = window.ResizeObserver as unknown as new (callback: Report) => typeof observer
  observer = new Repaired(callback)
})

const entry = (target: Box, inlineSize: number, blockSize: number) => ({
  target,
  borderBoxSize: [{ inlineSize, blockSize }],
})

test('an empty box is not reported for an element that has a size, but is for one that has none', () => {
  const [line, hidden] = [new Box(39), new Box(0)]
  report([entry(line, 0, 0)])
  expect(callback).not.toHaveBeenCalled()
  report([entry(line, 0, 0), entry(hidden, 100, 0)])
  report([entry(line, 100, 39)])
  expect(callback.mock.calls.map(([entries]) => entries.map(({ target }) => target))).toEqual([[hidden], [line]])
})

test('while sizes are reported, only elements within the reported ones are observed at once', () => {
  const [line, other] = [new Box(39), new Box(20)]
  const list = new Box(300, [line])
  callback.mockImplementation(() => {
    for (const box of [line, list, other]) observer.observe(box)
    observer.unobserve(other)
  })
  report([entry(list, 100, 300)])
  expect(observed).toEqual([line])
  for (const next of frame) next()
  expect(observed).toEqual([line, list])
})
