import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { header, report } from './figures.ts'

/** `npm run bench:export`: exports a million messages and imports them again, as an operator does. */
const SIZE = ['--conversations', '100000', '--messages', '1000000', '--customers', '20000']

/**
 * As in `npm run parley`: streamed data is garbage at once, and a larger young generation only makes the process grow.
 */
const FRUGAL = '--max-semi-space-size=4'

/** Peak memory of the running command, in kilobytes. */
let peak = 0

header('Export and import of 1,000,000 messages')
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
// Root's databases run under another user, who needs access to the folder.
await chmod(folder, 0o711)
const file = join(folder, 'export.gz')
try {
  await run('bin/seed.ts', SIZE, 'one')
  const first = await run('bin/parley.ts', ['export', file], 'one')
  report(
    'export',
    `${first.seconds} s, at most ${first.megabytes} MB, ${Math.round((await stat(file)).size / 1e6)} MB on disk`,
  )
  const read = await run('bin/parley.ts', ['import', file], 'two')
  report('import [≤ 600 s, ≤ 300 MB]', `${read.seconds} s, at most ${read.megabytes} MB`)
  const second = await run('bin/parley.ts', ['export', file], 'two')
  report('the same content', sumIn(first.output) === sumIn(second.output) ? 'yes' : 'NO')
} finally {
  await rm(folder, { recursive: true, force: true })
}

function sumIn(output: string): string | undefined {
  return /SHA-256.*: (\w+)/.exec(output)?.[1]
}

/** Runs a command with a data folder of its own, measuring the peak memory of its process. */
async function run(script: string, given: string[], data: string) {
  const started = Date.now()
  const child = spawn(process.execPath, [FRUGAL, resolve(import.meta.dirname, '..', script), ...given], {
    env: { ...process.env, DATA_DIR: join(folder, data), DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => child.once('exit', resolve)).finally(watchMemory(child))
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
  return { output, seconds: Math.round((Date.now() - started) / 1000), megabytes: Math.round(peak / 1024) }
}

/** Reads the peak resident size that Linux keeps for a process, in kilobytes. Returns a function that stops it. */
function watchMemory({ pid }: ChildProcess) {
  peak = 0
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
  }, 500)
  return () => clearInterval(timer)
}
