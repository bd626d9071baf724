import { readFileSync } from 'node:fs'
import { zipSync } from 'fflate'

const source = readFileSync(new URL('./papercups.js', import.meta.url), 'utf8')

/** The client's name in functions of the predecessor, and its own. */
const NAMES = ['@papercups-io/papercups', 'parley']

/** Modules that every function may require, by their paths. They take the place of what was uploaded under these names. */
export const clientModules: Record<string, string> = Object.fromEntries(
  NAMES.flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
    [`node_modules/${name}/index.js`, source],
  ]),
)

/** What the predecessor's dashboard asks for before it deploys: a zip to which it adds `index.js`. */
export function dependencyZip(): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(clientModules).map(([path, text]) => [path, Buffer.from(text)])))
}
