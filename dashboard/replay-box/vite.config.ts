import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { BUILD_TARGET } from '../../contract/browsers.ts'

/** The script in the frame that shows live sessions, which the server puts into its page. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    outDir: '../../dist/replay-box',
    emptyOutDir: true,
    target: BUILD_TARGET,
    lib: {
      entry: resolve(import.meta.dirname, 'box.ts'),
      formats: ['iife'],
      name: 'replayBox',
      fileName: () => 'box.js',
    },
  },
})
