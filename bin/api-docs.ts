import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** How the library tries whether it may evaluate code. The page forbids it, which browsers log as an attack. */
const TRIES_EVAL = 'return Function(``),!0'

const LIBRARY = resolve(import.meta.dirname, '../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js')

/** Copies the library of the API page into `dist`. It is a single file made to be served nearly as it is. */
export function copyApiDocs(dist: string): void {
  mkdirSync(resolve(dist, 'api-docs'), { recursive: true })
  writeFileSync(
    resolve(dist, 'api-docs/reference.js'),
    readFileSync(LIBRARY, 'utf8').replaceAll(TRIES_EVAL, 'return!1'),
  )
}
