import locales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * Left alone, the bundler cuts a file for each set of pages that share something: 125 requests for the inbox, a third of
 * its loading time. So what each page starts with, what people sign in with, what the inbox needs and the controls are one
 * file each. A part takes along what it imports, unless one above has it. Of the rest there is a file for each set of pages that
 * share something: merging small ones (`entriesAwareMergeThreshold`) made files that import each other in a ring.
 */
const FILES = [
  // These change with a dependency only, so browsers keep them from release to release.
  { name: 'libraries', tags: ['$initial' as const], test: /node_modules/, priority: 6 },
  { name: 'start', tags: ['$initial' as const], priority: 5 },
  { name: 'sign-in', test: /auth-sessions\/SignInPage\.tsx$/, priority: 4 },
  { name: 'inbox', test: /(Frame|ConversationsPage|ConversationPane)\.tsx$/, priority: 3 },
  // What the inbox says: a file for each language.
  { name: 'inbox-en', test: /screens\/inbox\/locales\/en\.ts$/, priority: 3 },
  { name: 'inbox-vi', test: /screens\/inbox\/locales\/vi\.ts$/, priority: 3 },
  // Shapes are made of each other as they load. Cut apart they could import each other in a ring, and find what they need undefined.
  { name: 'contract', test: /[\\/]contract[\\/][^\\/]+\.ts$/, priority: 2 },
  // They import no feature, so they can be one file that every page has in common.
  {
    name: 'controls',
    minShareCount: 2,
    test: /[\\/]dashboard[\\/](ui|platform)[\\/]|node_modules[\\/]react-(aria|stately)/,
    priority: 1.5,
  },
  { name: 'shared', minShareCount: 2, entriesAware: true, priority: 1 },
]

/** The server that `npm run dev` starts beside. */
const SERVER = `127.0.0.1:${process.env.PORT || 4000}`

export default defineConfig({
  root: import.meta.dirname,
  // Of the words that the controls' library brings in thirty languages, English is left.
  plugins: [react(), { ...locales.vite({ locales: ['en-US'] }), enforce: 'pre' }],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // Small files would become data: addresses, which the page's content security policy refuses for fonts.
    assetsInlineLimit: 0,
    // The polyfill and its like would be inline scripts.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: FILES },
        // Named after all the pages that share them, they would fill the first screen's list of files.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash].js`,
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      // With the slash: `/api.ts` is a file of ours.
      '/api/': `http://${SERVER}`,
      '/chat': `http://${SERVER}`,
      '/replay.html': `http://${SERVER}`,
      '/env.js': `http://${SERVER}`,
      '/files/': `http://${SERVER}`,
      '/widget.js': `http://${SERVER}`,
      '/socket/': { target: `ws://${SERVER}`, ws: true },
    },
  },
})
