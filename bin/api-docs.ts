import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** How the library tries whether it may evaluate code. The page forbids it, which browsers log as an attack. */
const TRIES_EVAL = 'return Function(``),!0'

/** Copies the library of the API page into `dist`. It is a single file made to be served nearly as it is. */
const root = resolve(import.meta.dirname, '..')
const library = resolve(root, 'node_modules/@scalar/fastify-api-reference/dist/js/standalone.js')
mkdirSync(resolve(root, 'dist/api-docs'), { recursive: true })
writeFileSync(
  resolve(root, 'dist/api-docs/reference.js'),
  readFileSync(library, 'utf8').replaceAll(TRIES_EVAL, 'return!1'),
)
