import { resolve } from 'node:path'
import { defineConfig, type UserConfig } from 'vite'
import { BUILD_TARGET } from '../contract/browsers.ts'
import { TEXTS, textLists } from './text-lists.ts'

const folder = import.meta.dirname
const dist = resolve(folder, '../dist/widget')
const target = BUILD_TARGET

/** Removes line breaks from the styles in template strings. */
const joinLines = (code: string) => code.replace(/`\n:host[^`]*`/, (styles) => styles.replaceAll('\n', ''))

/** Methods and fields that only the loader's own modules use, which may have short names. */
const INTERNAL =
  /^(wasOpen|storeOpen|wasPoppedUp|storePoppedUp|storeNeeded|storeCustomer|storePerson|isStale|clearStale|restyle|addressOf|showCard|popUpLater|sendAppearance|setHidden|signOut|wipe|leave|bubble|memory|receive|panel|element|emit|address|button|load|send|read|store)$/

const terserOptions = { ecma: 2020, compress: { passes: 3, unsafe_arrows: true } } as const

/** By default Chromium compiles each function when it is first called, which takes longer where nearly all are called. */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad'

/** The script for other websites: one classic script without a wrapper. */
const loader: UserConfig = {
  root: resolve(folder, 'loader'),
  plugins: [
    { name: 'one-line-style', transform: (code, id) => (id.endsWith('/loader/style.ts') ? joinLines(code) : null) },
  ],
  build: {
    outDir: dist,
    emptyOutDir: false,
    target,
    // terser output is a little smaller than that of vite's own minifier.
    minify: 'terser',
    terserOptions: { ...terserOptions, mangle: { properties: { regex: INTERNAL } } },
    rolldownOptions: {
      input: resolve(folder, 'loader/main.ts'),
      output: { format: 'iife', entryFileNames: 'widget.js' },
    },
  },
}

/** The script of live sessions: a small one on every page, and the recorder, which loads when somebody watches. */
const storytime: UserConfig = {
  root: resolve(folder, 'recorder'),
  build: {
    ...loader.build,
    terserOptions: { ...terserOptions, format: { preamble: COMPILE_AT_ONCE } },
    // A library build, because an application build would add module preloading.
    lib: {
      entry: resolve(folder, 'recorder/main.ts'),
      formats: ['iife'],
      name: 'storytime',
      fileName: () => 'storytime.js',
    },
    rolldownOptions: {},
  },
}
const recording: UserConfig = {
  root: resolve(folder, 'recorder'),
  build: {
    outDir: dist,
    emptyOutDir: false,
    target,
    modulePreload: false,
    lib: {
      entry: resolve(folder, 'recorder/watched/recording.ts'),
      formats: ['es'],
      fileName: () => 'storytime-recorder.js',
    },
  },
}

/** The page inside the frame. Written in React, shipped with Preact, which is a fifth of the size. */
const chatWindow: UserConfig = {
  root: resolve(folder, 'window'),
  base: '/chat/',
  plugins: [textLists],
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
    minify: 'terser',
    terserOptions,
    rolldownOptions: {
      output: {
        // One file for the first view; lazy chunks import from it.
        codeSplitting: {
          groups: [
            { name: 'open', test: (id) => !/[\\/](lazy|contract)[\\/]|widget-help\.json$/.test(id) && !TEXTS.test(id) },
          ],
        },
        chunkFileNames: ({ facadeModuleId }) => {
          const language = TEXTS.exec(facadeModuleId ?? '')?.[1]
          // Short hashes: the first file names some thirty others.
          return `assets/${language ? `words-${language}` : '[name]'}-[hash:6].js`
        },
      },
    },
    // The chat's parts import few others, and their names would be a part of the first file.
    modulePreload: false,
  },
}

/** The npm package for React websites: one module, with React as a peer dependency. */
const reactPackage: UserConfig = {
  root: resolve(folder, 'react'),
  build: {
    outDir: resolve(folder, '../dist/react'),
    emptyOutDir: true,
    target,
    lib: { entry: resolve(folder, 'react/index.ts'), formats: ['es'], fileName: () => 'index.js' },
    rolldownOptions: { external: [/^react($|\/)/], output: { banner: "'use client'" } },
  },
}

const outputs: Record<string, UserConfig> = { loader, storytime, recording, react: reactPackage }

/** `vite build --mode loader`, `--mode window`, `--mode react`: each output needs its own build. */
export default defineConfig(({ mode }) => ({ publicDir: false, ...(outputs[mode] ?? chatWindow) }))
