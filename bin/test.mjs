/** `npm test`: everything that must hold, from a fresh clone. Plain JavaScript, because it also installs. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { prepare, root, Stop } from './prepare.mjs'
import { report } from './runtime.mjs'

const bin = join(root, 'node_modules', '.bin')

/** Programs that tests drive, and the Debian package that brings each. */
const PROGRAMS = [
  { names: ['chromium', 'chromium-browser', 'google-chrome'], brings: 'chromium' },
  { names: ['redis-server', 'valkey-server'], brings: 'redis-server' },
]

const STEPS = [
  ['types', 'tsc', ['-b']],
  ['style', 'biome', ['ci', '--error-on-warnings']],
  ['dead code', 'knip', []],
  ['tests', 'vitest', ['run']],
  ['stories', 'vitest', ['run', '--config', 'vitest.stories.config.ts']],
]

try {
  await prepare({ build: true })
  providePrograms()
  for (const [name, command, args] of STEPS) run(name, command, args)
  console.log('\nEverything holds.')
} catch (error) {
  report(error)
}

/**
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 */
function run(name, command, args) {
  console.log(`\n— ${name}`)
  const started = Date.now()
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const { status } = spawnSync(join(bin, command), args, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) throw new Stop(`${name}: failed`)
  console.log(`  ${((Date.now() - started) / 1000).toFixed(0)} s`)
}

function providePrograms() {
  const missing = PROGRAMS.filter(({ names }) => !names.some(isInstalled)).map(({ brings }) => brings)
  if (missing.length === 0) return
  const wish = `apt-get install -y ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !isInstalled('apt-get'))
    throw new Stop(`The tests need ${missing.join(' and ')}: ${wish}`)
  console.log(`Installing ${missing.join(' and ')} for the tests …`)
  for (const args of [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', ...missing],
  ]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' })
    if (status !== 0) throw new Stop(`${stderr}\nThe tests need ${missing.join(' and ')}: ${wish}`)
  }
}

/** @param {string} name */
function isInstalled(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)))
}
