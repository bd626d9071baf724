import { readFileSync } from 'node:fs'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const client = read('./papercups.js')

/** Modules by name: the client under Papercups' name and its own, and Papercups' other package. */
const MODULES = { '@papercups-io/papercups': client, parley: client, superagent: read('./superagent.js') }

/** Modules that every function can require, by path. They take precedence over uploaded ones. */
export const clientModules: Record<string, string> = Object.fromEntries(
  Object.entries(MODULES).flatMap(([name, source]) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
    [`node_modules/${name}/index.js`, source],
  ]),
)

/** A zip that Papercups' dashboard fetches before it deploys, to add `index.js`. */
export async function dependencyZip(): Promise<Uint8Array> {
  const { zipSync } = await import('fflate')
  return zipSync(Object.fromEntries(Object.entries(clientModules).map(([path, text]) => [path, Buffer.from(text)])))
}
