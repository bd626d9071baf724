import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { FreshDatabase } from '../database.ts'
import { urlOf } from '../operator.ts'
import { KEY } from '../server.ts'
import { COMPILED } from '../server-process.ts'

/** Runs `npm run parley -- import-papercups` as an operator does. */
export async function runImport(
  target: FreshDatabase,
  source: FreshDatabase | { url: string },
  folder: string,
  options: string[],
): Promise<{ code: unknown; output: string }> {
  const address = 'url' in source ? source.url : urlOf(source)
  const parley = resolve(import.meta.dirname, '../../../bin/parley.ts')
  const child = spawn(process.execPath, [parley, 'import-papercups', address, ...options], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: COMPILED,
      DATABASE_URL: urlOf(target),
      DATA_DIR: join(folder, 'data'),
      ...KEY,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((settle) => child.once('exit', settle)),
  ])
  return { code, output: stdout + stderr }
}
