import { copyFileSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** Lays the library of the API's page where the server finds it. It is one file, made to be served as it is. */
const root = resolve(import.meta.dirname, '..')
mkdirSync(resolve(root, 'dist/api-docs'), { recursive: true })
copyFileSync(
  resolve(root, 'node_modules/@scalar/fastify-api-reference/dist/js/standalone.js'),
  resolve(root, 'dist/api-docs/reference.js'),
)
