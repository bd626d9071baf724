import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from './log.ts'

let lines: { level: string; time: string; msg: string; repeated?: number; reason?: string }[]
let log: Logger

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  const destination = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)))
      done()
    },
  })
  log = createLog('info', destination)
})
afterEach(() => {
  vi.useRealTimers()
})

const times = (count: number, write: (i: number) => void) => Array.from({ length: count }, (_, i) => write(i))

test('lines have the level by name and the time in ISO 8601', () => {
  log.warn('Something is odd')
  expect(lines[0]).toMatchObject({ level: 'warn', msg: 'Something is odd' })
  expect(lines[0]!.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('the same trouble is written twenty times a minute, then counted in one line', () => {
  const child = log.child({ part: 'a request' })
  times(4_140, (i) => child.warn({ err: new Error('no route'), i }, 'It cannot be reached'))
  expect(lines).toHaveLength(20)
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toMatchObject({
    level: 'warn',
    msg: 'It cannot be reached (repeated 4,120 times)',
    repeated: 4_120,
    reason: 'no route',
  })
  child.warn({ err: new Error('no route') }, 'It cannot be reached')
  expect(lines).toHaveLength(22)
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(22)
})

test('trouble with another reason or address, information and fatal errors are written all the same', () => {
  times(50, () => log.error({ reason: 'refused' }, 'It failed'))
  lines.length = 0
  log.error({ reason: 'no answer' }, 'It failed')
  log.error(new Error('refused'), 'Another thing failed')
  times(20, (i) => log.warn({ address: `203.0.113.${i}` }, 'A sign-in was refused'))
  times(50, () => log.info('A mail was sent'))
  times(25, () => log.fatal('The end'))
  expect(lines).toHaveLength(2 + 20 + 50 + 25)
})

test('an error alone is a line, and its repetitions are counted by what it says', () => {
  times(30, () => log.error(new Error('out of cheese')))
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toMatchObject({ repeated: 10, msg: 'out of cheese (repeated 10 times)' })
})
