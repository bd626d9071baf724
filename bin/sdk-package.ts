/** `npm run build:sdk`: builds the client as a package in `dist/sdk`, and checks that it can be installed and used. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeIndex } from './sdk.ts'

const root = resolve(import.meta.dirname, '..')
const tool = (path: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'node_modules', path), ...args], { cwd: root, encoding: 'utf8' })

/** Builds the package into a folder. Throws if some kind of program could not import it or its types. */
export async function buildSdk(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await compile(folder)
  for (const name of ['package.json', 'README.md']) cpSync(join(root, 'sdk', name), join(folder, name))
  tool('publint/src/cli.js', folder, '--strict')
  tool('@arethetypeswrong/cli/dist/index.js', '--pack', folder, '--profile', 'esm-only', '--no-emoji')
}

/** The sources with an `index.ts` that is written from the contract, and only exists during the build. */
async function compile(outDir: string): Promise<void> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const sources = mkdtempSync(join(root, '.cache/sdk-'))
  try {
    cpSync(join(root, 'sdk/src'), sources, { recursive: true })
    writeFileSync(join(sources, 'index.ts'), await writeIndex())
    const compilerOptions = { composite: false, incremental: false, tsBuildInfoFile: null, outDir, rootDir: '.' }
    const config = { extends: join(root, 'sdk/tsconfig.json'), compilerOptions, include: ['*.ts'] }
    writeFileSync(join(sources, 'tsconfig.json'), JSON.stringify(config))
    tool('typescript/bin/tsc', '-p', sources)
  } finally {
    rmSync(sources, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const folder = join(root, 'dist/sdk')
  await buildSdk(folder)
  console.log(`The package is in ${folder}`)
}
