import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run test:contract -- --seconds 600 --seed 1`: generates requests from the OpenAPI document for as long, and prints
 * those that are answered otherwise than it declares, with their seeds. Exits with 1 if there are any.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } })
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 30))
const seconds = values.seconds ?? '120'
console.log(`Seed ${seed}, ${seconds} seconds.`)
const { status } = spawnSync(
  resolve(import.meta.dirname, '../../node_modules/.bin/vitest'),
  ['run', '--project', 'server', 'tests/contract/generated.test.ts'],
  { env: { ...process.env, CONTRACT_SEED: seed, CONTRACT_SECONDS: seconds }, stdio: 'inherit' },
)
process.exitCode = status ?? 1
