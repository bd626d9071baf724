import { resolve } from 'node:path'
import { defineConfig, type UserConfig } from 'vite'

const here = import.meta.dirname
const dist = resolve(here, '../dist/widget')
/** Evergreen browsers, and Safari from 16 on: before, our policy's 'self' did not cover sockets. */
const target = ['chrome109', 'firefox115', 'safari16']

/** The styles between backticks without their line breaks. */
const joinLines = (code: string) => code.replace(/`\n:host[^`]*`/, (styles) => styles.replaceAll('\n', ''))

const terserOptions = { ecma: 2020, compress: { passes: 3, unsafe_arrows: true } } as const

/** Chromium compiles each function when it is first called. Where nearly all are, compiling them at once takes half as long. */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad'

/** The script that stands on the pages of other websites: one classic script without a wrapper file around it. */
const loader: UserConfig = {
  root: resolve(here, 'loader'),
  plugins: [
    { name: 'one-line-style', transform: (code, id) => (id.endsWith('/loader/style.ts') ? joinLines(code) : null) },
  ],
  build: {
    outDir: dist,
    emptyOutDir: false,
    target,
    // Every website that has the widget waits for it: terser leaves a little less than the minifier of the other builds.
    minify: 'terser',
    terserOptions,
    rolldownOptions: {
      input: resolve(here, 'loader/main.ts'),
      output: { format: 'iife', entryFileNames: 'widget.js' },
    },
  },
}

/** What shows live sessions: a small script on every page, and what records, which comes when somebody watches. */
const storytime: UserConfig = {
  root: resolve(here, 'recorder'),
  build: {
    ...loader.build,
    terserOptions: { ...terserOptions, format: { preamble: COMPILE_AT_ONCE } },
    // Apart from what is meant for pages that are built with it, such as preloading.
    lib: {
      entry: resolve(here, 'recorder/main.ts'),
      formats: ['iife'],
      name: 'storytime',
      fileName: () => 'storytime.js',
    },
    rolldownOptions: {},
  },
}
const recording: UserConfig = {
  root: resolve(here, 'recorder'),
  build: {
    outDir: dist,
    emptyOutDir: false,
    target,
    modulePreload: false,
    lib: {
      entry: resolve(here, 'recorder/watched/recording.ts'),
      formats: ['es'],
      fileName: () => 'storytime-recorder.js',
    },
  },
}

/** The page inside the frame. React in the source, Preact in what visitors download: a fifth of the weight. */
const chatWindow: UserConfig = {
  root: resolve(here, 'window'),
  base: '/chat/',
  resolve: {
    alias: {
      'react-dom/client': 'preact/compat/client',
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  },
  build: {
    outDir: resolve(dist, 'chat'),
    emptyOutDir: true,
    target,
    rolldownOptions: {
      output: {
        // What is open from the beginning travels in one piece; parts that come later find it there.
        codeSplitting: {
          groups: [{ name: 'open', test: (id) => !/[\\/](lazy|contract)[\\/]/.test(id) }],
        },
      },
    },
    // Its polyfill would be an inline script, which the page's content security policy refuses.
    modulePreload: { polyfill: false },
  },
}

/** The package for websites that are written in React: one module, with React left to them. */
const reactPackage: UserConfig = {
  root: resolve(here, 'react'),
  build: {
    outDir: resolve(here, '../dist/react'),
    emptyOutDir: true,
    target,
    lib: { entry: resolve(here, 'react/index.ts'), formats: ['es'], fileName: () => 'index.js' },
    rolldownOptions: { external: [/^react($|\/)/], output: { banner: "'use client'" } },
  },
}

const outputs: Record<string, UserConfig> = { loader, storytime, recording, react: reactPackage }

/** `vite build --mode loader`, `--mode window`, `--mode react`: outputs of different kinds need passes of their own. */
export default defineConfig(({ mode }) => ({ publicDir: false, ...(outputs[mode] ?? chatWindow) }))
