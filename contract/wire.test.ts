import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { Id, ifAny, TimeInput } from './wire.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a time without a zone is UTC, whatever the zone of the server', () => {
  vi.stubEnv('TZ', 'Asia/Ho_Chi_Minh')
  for (const text of ['2026-11-22T01:00:00', '2026-11-22 01:00:00', '2026-11-22T08:00:00+07:00', '2026-11-22T01:00Z']) {
    expect(z.parse(TimeInput, text), text).toBe('2026-11-22T01:00:00.000Z')
  }
  expect(z.parse(TimeInput, '2026-11-22')).toBe('2026-11-22T00:00:00.000Z')
})

test('two spellings of one id are equal', () => {
  expect(z.parse(Id, '0B7C9E1A-3C5D-4E6F-8A9B-0C1D2E3F4A5B')).toBe('0b7c9e1a-3c5d-4e6f-8a9b-0c1d2e3f4a5b')
})

test('null for a required field is the same as leaving it out', () => {
  const Body = z.object({ id: ifAny(Id) })
  expect(z.parse(Body, { id: null }).id).toBe(undefined)
  expect(z.parse(Body, {}).id).toBe(undefined)
})
