import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = '127.0.0.1:4000'

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
      '/api': `http://${SERVER}`,
      '/env.js': `http://${SERVER}`,
      '/widget.js': `http://${SERVER}`,
      '/socket': { target: `ws://${SERVER}`, ws: true },
    },
  },
})
