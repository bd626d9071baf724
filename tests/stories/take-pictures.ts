import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isInstalled } from '#tests/support/engines/engines.ts'
import { ENGINES } from '#tests/support/engines/tab.ts'
import { PICTURES, writePicturePage } from './picture-page.ts'

// `npm run pictures` runs the stories, or those named, and makes one page with a picture of how each ended. With
// `-- --engine firefox` it pictures every screen in that browser instead, and fails for one that is too wide or logs errors.

const { values, positionals } = parseArgs({ options: { engine: { type: 'string' } }, allowPositionals: true })
const engine = ENGINES.find((name) => name === values.engine)
if (values.engine && !engine) throw new Error(`--engine is one of ${ENGINES.join(', ')}.`)
if (engine && !isInstalled(engine)) throw new Error(`${engine} is not installed (docs/browsers.md).`)

await rm(PICTURES, { recursive: true, force: true })
const { status } = spawnSync('npm', ['run', 'test:stories', '--', ...positionals], {
  stdio: 'inherit',
  env: { ...process.env, ...(engine ? { PICTURES_ENGINE: engine } : { PICTURES: '1' }) },
})
const { path, count } = await writePicturePage()
console.log(`${count} pictures: ${path}`)
process.exitCode = status ?? 1
