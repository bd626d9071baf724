import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The server that `npm run dev` starts beside. */
const SERVER = `127.0.0.1:${process.env.PORT || 4000}`

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // Small files would become data: addresses, which the page's content security policy refuses for fonts.
    assetsInlineLimit: 0,
    // The polyfill and its like would be inline scripts.
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      // With the slash: `/api.ts` is a file of ours.
      '/api/': `http://${SERVER}`,
      '/chat': `http://${SERVER}`,
      '/env.js': `http://${SERVER}`,
      '/files/': `http://${SERVER}`,
      '/widget.js': `http://${SERVER}`,
      '/socket/': { target: `ws://${SERVER}`, ws: true },
    },
  },
})
