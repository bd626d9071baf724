import { copyFileSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** Copies the library of the API page into `dist`. It is a single file made to be served as it is. */
const root = resolve(import.meta.dirname, '..')
mkdirSync(resolve(root, 'dist/api-docs'), { recursive: true })
copyFileSync(
  resolve(root, 'node_modules/@scalar/fastify-api-reference/dist/js/standalone.js'),
  resolve(root, 'dist/api-docs/reference.js'),
)
