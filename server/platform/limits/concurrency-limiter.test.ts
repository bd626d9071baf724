import { expect, test } from 'vitest'
import { TooMany } from '../../errors.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'

/** Work that ends on command. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let hasBegun = false
  const run = () => {
    hasBegun = true
    return promise
  }
  return { run, resolve, reject, hasBegun: () => hasBegun }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a limited number runs at once, the next ones wait in order, and more are refused', async () => {
  const turns = new ConcurrencyLimiter(2, 1)
  const [a, b, c, d, other] = [work(), work(), work(), work(), work()]
  const [first] = [turns.run('acme', a.run), turns.run('acme', b.run)]
  const third = turns.run('acme', c.run)
  await expect(turns.run('acme', d.run)).rejects.toThrow(TooMany)
  void turns.run('other', other.run)
  expect([a, b, c, d, other].map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false, true])
  a.resolve()
  await first
  await nextTurn()
  expect(c.hasBegun()).toBe(true)
  c.resolve()
  await third
})

test('failed work frees its place', async () => {
  const turns = new ConcurrencyLimiter(1, 1)
  const [a, b] = [work(), work()]
  const first = turns.run('acme', a.run)
  const second = turns.run('acme', b.run)
  a.reject(new Error('no'))
  await expect(first).rejects.toThrow('no')
  b.resolve()
  await second
  await turns.run('acme', async () => undefined)
})
