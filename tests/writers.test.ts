import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Write {
  table: string
  /** The feature or integration, or a file of the server itself. */
  by: string
  at: string
  /** The reason in a comment just above it: `// Writes users, too: …`. */
  reason: string | undefined
}

const WRITES = [
  /\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g,
  /\b(?:insert into|delete from)\s+(\w+)/g,
  /\bupdate\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/g,
]

function readWrites(file: string, source: string): Write[] {
  const [, area] = /^server\/(?:features\/[^/]+|integrations)\/([^/]+)\//.exec(file) ?? []
  return WRITES.flatMap((pattern) => [...source.matchAll(pattern)]).map((match) => {
    const before = source.slice(0, match.index).split('\n')
    const comment =
      [
        ...before
          .slice(-3)
          .join('\n')
          .matchAll(/\/\/ .*/g),
      ].at(-1)?.[0] ?? ''
    const [, declared, reason] = /^\/\/ Writes (\w+), too: (.+)$/.exec(comment) ?? []
    const table = match[1] ?? ''
    return { table, by: area ?? file, at: `${file}:${before.length}`, reason: declared === table ? reason : undefined }
  })
}

const writes = ['server/features/**/*.ts', 'server/integrations/**/*.ts']
  .flatMap((pattern) => globSync(pattern))
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => readWrites(file, readFileSync(file, 'utf8')))

test('a table has one writer; another feature that writes it says why beside the code', () => {
  expect(new Set(writes.map(({ table }) => table)).size).toBeGreaterThan(60)
  const byTable = Map.groupBy(
    writes.filter(({ reason }) => !reason),
    ({ table }) => table,
  )
  const several = [...byTable].filter(([, ofTable]) => new Set(ofTable.map(({ by }) => by)).size > 1)
  expect(several.map(([table, ofTable]) => [table, ofTable.map(({ at }) => at)])).toEqual([])
})

test('a reason is only given where the table has another writer', () => {
  const owners = new Set(writes.flatMap(({ table, reason }) => (reason ? [] : [table])))
  expect(writes.filter(({ table, reason }) => reason && !owners.has(table))).toEqual([])
})

test('writes are found in queries and in SQL, with the reason above them', () => {
  const source = `  // Writes users, too: a reason.\n  await ofAccount(db, id)\n    .updateTable('users')\n  sql\`update tags t set name = ''\``
  expect(readWrites('server/features/accounts/billing/x.ts', source)).toMatchObject([
    { table: 'users', by: 'billing', reason: 'a reason.' },
    { table: 'tags', by: 'billing', reason: undefined },
  ])
})
