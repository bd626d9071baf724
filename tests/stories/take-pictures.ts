import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { PICTURES, writePicturePage } from './picture-page.ts'

// `npm run pictures` runs the stories, or those named, and makes one page with a picture of how each ended.

await rm(PICTURES, { recursive: true, force: true })
const { status } = spawnSync('npm', ['run', 'test:stories', '--', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, PICTURES: '1' },
})
const { path, count } = await writePicturePage()
console.log(`${count} pictures: ${path}`)
process.exitCode = status ?? 1
