import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeFault, type Fault, findFaults, plant } from './faults.ts'
import { ProjectCopy } from './project-copy.ts'

/**
 * `npm run test:mutations -- --sample 200`: plants small faults one at a time and reports those that no test notices.
 * Tests of the same feature run first, then those of features that import the file, then the walks over every call,
 * then all. Faults that do not compile are not counted.
 */
const root = resolve(import.meta.dirname, '../..')
const { values: options } = parseArgs({
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** Only faults in files under this path. */
    only: { type: 'string', default: 'server/features' },
    /** Stops after the nearer tests and the walks: faster, but reports more survivors than there are. */
    near: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
  },
})

const NEAR_SECONDS = 180
const ALL_SECONDS = 1_200
const COMPILE_SECONDS = 180
/** Failures that do not repeat, after which a fault counts as survived. */
const MAX_STUMBLES = 3
/** Shows that tests run in the copies at all; without a fault, every test has to pass there. */
const SAMPLE_TEST = 'server/features/customers/companies/companies.test.ts'
/** These only read the source, so they are cheap enough to run each time. */
const STATIC = ['tests/architecture.test.ts', 'tests/queries.test.ts']
/** These try the calls of all features. */
const WALKS = [
  'tests/contract.test.ts',
  'tests/hostile.test.ts',
  'tests/foreign-ids.test.ts',
  'tests/one-of-many.test.ts',
]

interface Explained {
  file: string
  was: string
  becomes: string
  reason: string
}

type Verdict = 'noticed' | 'survived' | 'explained' | 'does not compile'

const sources = new Map(sourceFiles().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const explained: Explained[] = JSON.parse(readFileSync(join(import.meta.dirname, 'explained.json'), 'utf8'))
const faults = shuffle(
  [...sources].flatMap(([file, source]) => (file.startsWith(options.only) ? findFaults(file, source) : [])),
  Number(options.seed),
)
const sample = faults.slice(0, Number(options.sample))
const counts: Record<Verdict, number> = { noticed: 0, survived: 0, explained: 0, 'does not compile': 0 }

assertCurrent()
console.log(`${faults.length} faults can be planted; trying ${sample.length} of them (seed ${options.seed}).`)
const opening: Promise<ProjectCopy>[] = []
let stopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(130))
try {
  for (let i = 0; i < Number(options.workers); i++) opening.push(ProjectCopy.open(root))
  const copies = await Promise.all(opening)
  const sound = await (options.near ? copies[0]?.test([SAMPLE_TEST], NEAR_SECONDS) : copies[0]?.test([], ALL_SECONDS))
  if (!sound?.holds) throw new Error(`Without any fault ${sound?.why} fails: nothing could be told from it.`)
  const queue = sample.entries()
  await Promise.all(copies.map((copy) => work(copy, queue)))
  if (!stopped) printTotal()
} catch (error) {
  if (!stopped) console.error(error)
  process.exitCode = 1
} finally {
  await stop(Number(process.exitCode ?? 0))
}

async function stop(code: number): Promise<void> {
  if (stopped) return
  stopped = true
  for (const opened of await Promise.allSettled(opening)) if (opened.status === 'fulfilled') await opened.value.close()
  process.exit(code)
}

async function work(copy: ProjectCopy, queue: IterableIterator<[number, Fault]>): Promise<void> {
  for (const [index, fault] of queue) {
    const source = sources.get(fault.file) ?? ''
    const described = describeFault(source, fault)
    const began = Date.now()
    const explanation = explained.find((entry) => entry.file === fault.file && isSame(entry, described))
    const { verdict, why } = explanation
      ? { verdict: 'explained' as const, why: explanation.reason }
      : await copy.having(fault.file, plant(source, fault), () => testFault(copy, fault))
    if (stopped) return
    counts[verdict]++
    const seconds = ((Date.now() - began) / 1000).toFixed(0)
    console.log(`${index + 1} ${verdict}: ${fault.file}:${described.line} ${fault.kind} (${seconds} s) ${why}`)
    if (verdict === 'survived') console.log(`    - ${described.was}\n    + ${described.becomes}`)
  }
}

async function testFault(copy: ProjectCopy, fault: Fault): Promise<{ verdict: Verdict; why: string }> {
  for (const [step, files] of nearTests(fault.file).entries()) {
    const outcome = await copy.test(files, NEAR_SECONDS)
    if (!outcome.holds) return { verdict: 'noticed', why: outcome.why }
    // Compiled only if the nearest tests pass: they notice most faults that compile.
    const compiled = step > 0 ? outcome : await copy.compile(COMPILE_SECONDS)
    if (!compiled.holds) return { verdict: 'does not compile', why: compiled.why }
  }
  if (options.near) return { verdict: 'survived', why: '' }
  const stumbles: string[] = []
  while (stumbles.length < MAX_STUMBLES) {
    const all = await copy.test([], ALL_SECONDS)
    if (all.holds) return { verdict: 'survived', why: stumbles.join('; ') }
    // A short stall of the machine may fail a test and hide the others, so a failure has to repeat.
    const again = all.files.length > 0 ? await copy.test(all.files, NEAR_SECONDS) : all
    if (!again.holds) return { verdict: 'noticed', why: again.why }
    stumbles.push(`once ${all.why}`)
  }
  return { verdict: 'survived', why: stumbles.join('; ') }
}

/**
 * Tests of the feature itself, then of those whose sources import the file, then the walks. For a feature without tests
 * of its own, the tests of all features that import anything of it come first.
 */
function nearTests(file: string): string[][] {
  const feature = dirname(file)
  const own = testsIn([feature])
  const isWanted = (path: string) => path === file || (own.length === 0 && dirname(path) === feature)
  const importers = [...sources].filter(([other, source]) => {
    const imported = [...source.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => join(dirname(other), path ?? ''))
    return dirname(other) !== feature && imported.some(isWanted)
  })
  const others = testsIn(
    [...new Set(importers.map(([other]) => dirname(other)))].filter((folder) => folder !== 'server'),
  )
  const onlyExisting = (files: string[]) => files.filter((path) => existsSync(join(root, path)))
  return [[...onlyExisting(STATIC), ...own], others, onlyExisting(WALKS)].filter(({ length }) => length > 0)
}

function testsIn(folders: string[]): string[] {
  return folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }).sort())
}

function sourceFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'server'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
}

function isSame(a: { was: string; becomes: string }, b: { was: string; becomes: string }): boolean {
  return a.was === b.was && a.becomes === b.becomes
}

/** An explanation whose line has changed could hide a new fault. */
function assertCurrent(): void {
  const stale = explained.filter((explanation) => {
    const source = sources.get(explanation.file)
    return (
      !source ||
      !findFaults(explanation.file, source).some((fault) => isSame(explanation, describeFault(source, fault)))
    )
  })
  for (const { file, was } of stale)
    console.error(`explained.json: nothing like this can be planted in ${file}: ${was}`)
  if (stale.length > 0) process.exit(1)
}

/** The same order for the same seed (mulberry32). */
function shuffle<T>(list: T[], seed: number): T[] {
  let state = seed
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const shuffled = [...list]
  for (let i = shuffled.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1))
    ;[shuffled[i], shuffled[other]] = [shuffled[other] as T, shuffled[i] as T]
  }
  return shuffled
}

function printTotal(): void {
  const counted = counts.noticed + counts.survived
  const percent = counted > 0 ? ((100 * counts.noticed) / counted).toFixed(1) : '–'
  const by = options.near ? 'the nearer tests and the walks' : 'the whole suite'
  console.log(
    `\n${percent} % noticed by ${by}: ${counts.noticed} of ${counted}. Survived: ${counts.survived}. Explained: ${counts.explained}. Does not compile: ${counts['does not compile']}.`,
  )
}
