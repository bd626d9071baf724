import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { features, integrations } from '#server/app.ts'
import { describeConsequences, PAGE } from '../bin/consequences.ts'

const root = resolve(import.meta.dirname, '..')
const sources = globSync('server/{features/*,integrations}/*/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
const wordsIn = (text = '') => [...text.matchAll(/[\w-]+/g)].map(([word]) => word).sort()

test('docs/consequences.md matches the manifests; `npm run consequences` generates it', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(describeConsequences([...features, ...integrations]))
})

test('a consumer enqueues the jobs that it declares, and no others', () => {
  const consumers = sources.filter(([, code]) => code.includes('defineConsumer('))
  expect(consumers.length).toBeGreaterThan(1)
  for (const [file, code] of consumers) {
    const enqueued = [...code.matchAll(/\.enqueue(?:All)?\([\w.]+, (\w+),/g)].map(([, job = '']) => job)
    const declared = [...code.matchAll(/\bjobs: \[([^\]]*)\]/g)].flatMap(([, jobs]) => wordsIn(jobs))
    expect([...new Set(enqueued)].sort(), file).toEqual(declared)
  }
})

test('a job writes the mails that it declares, and no others', () => {
  const jobs = sources.filter(([, code]) => code.includes('defineJob(') && code.includes('writeMail('))
  expect(jobs.length).toBeGreaterThan(2)
  for (const [file, code] of jobs) {
    const kinds = [...code.matchAll(/\bkind: ([^\n]+),\n/g)].flatMap(
      ([, kind = '']) => kind.match(/(?<=')\w+(?=')/g) ?? [],
    )
    const declared = [...code.matchAll(/\bmails: \[([^\]]*)\]/g)].flatMap(([, mails]) => wordsIn(mails))
    expect(kinds.sort(), file).toEqual(declared)
  }
})
