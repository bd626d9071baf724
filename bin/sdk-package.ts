/** `npm run build:sdk`: builds the client as a package in `dist/sdk`, and checks that it can be installed and used. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const tool = (path: string, ...given: string[]) =>
  execFileSync(process.execPath, [join(root, 'node_modules', path), ...given], { cwd: root, encoding: 'utf8' })

/** Builds the package into a folder. Throws if some kind of program could not import it or its types. */
export function buildSdk(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  tool(
    'typescript/bin/tsc',
    '-p',
    'sdk',
    '--composite',
    'false',
    '--incremental',
    'false',
    '--tsBuildInfoFile',
    'null',
    '--outDir',
    folder,
  )
  for (const name of ['package.json', 'README.md']) cpSync(join(root, 'sdk', name), join(folder, name))
  tool('publint/src/cli.js', folder, '--strict')
  tool('@arethetypeswrong/cli/dist/index.js', '--pack', folder, '--profile', 'esm-only', '--no-emoji')
}

if (import.meta.main) {
  const folder = join(root, 'dist/sdk')
  buildSdk(folder)
  console.log(`The package is in ${folder}`)
}
