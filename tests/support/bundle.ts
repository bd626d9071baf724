import { resolve } from 'node:path'
import { build } from 'vite'

const root = resolve(import.meta.dirname, '../..')
const ENTRY = 'virtual:page'

/** The React version of Papercups' clients. */
export const REACT_17 = { 'react-dom': 'react-dom-17', react: 'react-17' }

/** Bundles a page's module into one classic script, as a website's build would. */
export async function bundle(code: string, alias: Record<string, string> = {}): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === ENTRY ? resolve(root, 'tests/support/page.tsx') : undefined),
        load: (id) => (id.endsWith('/tests/support/page.tsx') ? code : undefined),
      },
    ],
    build: { write: false, rolldownOptions: { input: ENTRY, output: { format: 'iife' } } },
  })
  const [{ output }] = [result].flat() as { output: { type: string; code?: string }[] }[] as [
    { output: { type: string; code?: string }[] },
  ]
  return output.find(({ type }) => type === 'chunk')!.code!
}
