import { expect, test } from 'vitest'
import { describeFault, findFaults, plant } from './faults.ts'

const changed = (source: string) => findFaults('x.ts', source).map((fault) => `${fault.kind}: ${plant(source, fault)}`)

test('conditions are inverted, comparisons shifted and operators exchanged', () => {
  expect(changed('if (a) b = 1')).toEqual(['condition turned round: if (!(a)) b = 1'])
  expect(changed('const x = a > 1 ? b : c')).toEqual([
    'condition turned round: const x = !(a > 1) ? b : c',
    'comparison changed: const x = a >= 1 ? b : c',
  ])
  expect(changed('const x = a && b')).toEqual(['condition joined otherwise: const x = ((a) || (b))'])
  expect(changed('const x = a ?? b')).toEqual(['fallback left out: const x = a'])
  expect(changed('const x = true')).toEqual(['yes and no exchanged: const x = false'])
})

test('a query loses a condition or gets another comparison', () => {
  expect(changed("db.selectFrom('a').where('b', '=', c).execute")).toEqual([
    "narrowing left out: db.selectFrom('a').execute",
    "comparison changed: db.selectFrom('a').where('b', '!=', c).execute",
  ])
  expect(changed('const q = sql`select 1 where a and b is null`')).toEqual([
    'query changed: const q = sql`select 1 where a or b is null`',
    'query changed: const q = sql`select 1 where a and b is not null`',
  ])
})

test('announcements and calls whose result is unused are removed; declarations are not', () => {
  expect(changed('change.announce(id, {})')).toEqual(['announcement dropped: ;'])
  expect(changed('await forget(db)')).toEqual(['call left out: ;'])
  expect(changed('const a = await find(db)')).toEqual([])
  expect(changed('type A = { b: true }; interface C { d: 1 }')).toEqual([])
})

test('a mutation is shown with its line, before and after', () => {
  const source = 'const a = 1\n  const b =\n    a === 2\n'
  const [fault] = findFaults('x.ts', source)
  expect(describeFault(source, fault!)).toEqual({ line: 3, was: 'a === 2', becomes: 'a !== 2' })
})
