import locales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, parseSync, Visitor } from 'vite'
import { BUILD_TARGET } from '../contract/browsers.ts'
import { INBOX_TEXTS } from './screens/inbox/texts.ts'

const TEXTS_OF_INBOX = new RegExp(`/locales/([^/]+)/dashboard/(?:${INBOX_TEXTS.join('|')})\\.json$`)

/**
 * By default the bundler creates a file for each set of pages that share modules: 125 requests for the inbox, a third
 * of its loading time. So the start, sign-in, the inbox and the controls are one file each. A group includes what it
 * imports, unless an earlier group has it. The rest is one file per set of pages: merging small ones
 * (`entriesAwareMergeThreshold`) created circular imports.
 */
const FILES = [
  // Only change with a dependency, so browsers cache them across releases.
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 6 },
  { name: 'start', tags: ['$initial' as const], priority: 5 },
  { name: 'sign-in', test: /auth-sessions\/SignInPage\.tsx$/, priority: 4 },
  { name: 'inbox', test: /(Frame|ConversationsPage|ConversationPane)\.tsx$/, priority: 3 },
  // The texts of the inbox, a file for each language.
  {
    debugName: 'texts of the inbox',
    name: (id: string) => `inbox-${TEXTS_OF_INBOX.exec(id)?.[1]}`,
    test: TEXTS_OF_INBOX,
    priority: 3,
  },
  // Schemas use each other when they load. In separate files they could import each other in a circle, and be
  // undefined.
  { name: 'contract', test: /[\\/]contract[\\/](?!text[\\/])([^\\/]+[\\/])?[^\\/]+\.ts$/, priority: 2 },
  // They import no feature, so all pages can share one file.
  {
    name: 'controls',
    minShareCount: 2,
    test: /[\\/]dashboard[\\/](ui|platform)[\\/]|node_modules[\\/]react-(aria|stately)/,
    priority: 1.5,
  },
  { name: 'shared', minShareCount: 2, entriesAware: true, priority: 1 },
]

/**
 * Browsers use the method and path of a call; its shapes are types to them. So what a call declares is left out, and a
 * constant of the contract that nothing else uses is removed: a function that is called at once, marked as free of side
 * effects, is one that the bundler may drop.
 */
const withoutShapes: Plugin = {
  name: 'without-shapes',
  enforce: 'pre',
  transform(code, id) {
    if (!/[\\/]contract[\\/]/.test(id)) return undefined
    const edits: [at: number, until: number, text: string][] = []
    const visitor = new Visitor({
      CallExpression({ callee, arguments: [, , , shapes] }) {
        if (callee.type === 'Identifier' && callee.name === 'endpoint' && shapes)
          edits.push([shapes.start, shapes.end, '{}'])
      },
    })
    const { program } = parseSync(id, code)
    visitor.visit(program)
    for (const node of program.body) {
      const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node
      if (declared?.type !== 'VariableDeclaration') continue
      for (const { init } of declared.declarations) {
        if (!init || init.type.endsWith('FunctionExpression')) continue
        edits.push([init.start, init.start, '/*#__PURE__*/ (() => ('], [init.end, init.end, '))()'])
      }
    }
    const ordered = edits.sort(([at], [other]) => other - at)
    return {
      code: ordered.reduce((text, [at, until, by]) => text.slice(0, at) + by + text.slice(until), code),
      map: null,
    }
  },
}

/** The server that `npm run dev` starts as well. */
const SERVER = `127.0.0.1:${process.env.PORT || 4000}`

export default defineConfig({
  root: import.meta.dirname,
  // Removes all translations of the control library except English.
  plugins: [withoutShapes, react(), { ...locales.vite({ locales: ['en-US'] }), enforce: 'pre' }],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: BUILD_TARGET,
    // Small files would become data: URLs, which the page's content security policy forbids for fonts.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, which the policy forbids.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: FILES },
        // With the names of all pages that share them, the first screen's list of files would be very long.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash].js`,
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      // With the slash, because `/api.ts` is a source file.
      '/api/': `http://${SERVER}`,
      '/chat': `http://${SERVER}`,
      '/replay.html': `http://${SERVER}`,
      '/env.js': `http://${SERVER}`,
      '/manifest.webmanifest': `http://${SERVER}`,
      '/files/': `http://${SERVER}`,
      '/widget.js': `http://${SERVER}`,
      '/socket/': { target: `ws://${SERVER}`, ws: true },
    },
  },
})
