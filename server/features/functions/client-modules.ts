import { readFileSync } from 'node:fs'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const client = read('./papercups.js')

/** By their names: the client as functions of the predecessor know it, under its own name too, and what came beside it. */
const MODULES = { '@papercups-io/papercups': client, parley: client, superagent: read('./superagent.js') }

/** Modules that every function may require, by their paths. They take the place of what was uploaded under these names. */
export const clientModules: Record<string, string> = Object.fromEntries(
  Object.entries(MODULES).flatMap(([name, source]) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
    [`node_modules/${name}/index.js`, source],
  ]),
)

/** What the predecessor's dashboard asks for before it deploys: a zip to which it adds `index.js`. */
export async function dependencyZip(): Promise<Uint8Array> {
  const { zipSync } = await import('fflate')
  return zipSync(Object.fromEntries(Object.entries(clientModules).map(([path, text]) => [path, Buffer.from(text)])))
}
