import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { BUILD_TARGET } from '../../contract/browsers.ts'

/** The service worker: one file with a fixed name beside the dashboard, because browsers look for updates at its address. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: false,
    target: BUILD_TARGET,
    lib: {
      entry: resolve(import.meta.dirname, 'worker.ts'),
      formats: ['iife'],
      name: 'worker',
      fileName: () => 'sw.js',
    },
  },
})
