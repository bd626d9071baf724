import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import imported from '@jitl/quickjs-ng-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { GuestRun } from './guest-run.ts'
import { type FromSandbox, LIMITS, type ToSandbox } from './protocol.ts'

// The process in which untrusted code runs: it has no environment, no files but its own code, and no way to start
// other processes. It runs one function at a time, each in a WebAssembly memory of its own.

/** Which Node.js has, and its types do not tell of. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<never>
  Memory: new (pages: { initial: number; maximum: number }) => never
}
/** Bytes. */
const PAGE = 65_536
/** With which QuickJS begins, in pages. */
const FIRST_PAGES = 256

// The types tell of the CommonJS form, which has it one level deeper.
const variant: QuickJSSyncVariant = 'default' in imported ? imported.default : imported
const wasm = fileURLToPath(import.meta.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'))
const compiled = newVariant(variant, {
  wasmModule: await WebAssembly.compile(await readFile(wasm)),
  // QuickJS counts what it takes by a size that its allocator does not know here, so its own limit lets 2 GB through.
  wasmMemory: async () =>
    new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: Math.ceil(LIMITS.memoryBytes / PAGE) }),
})
const guest = await readFile(new URL('./guest.js', import.meta.url), 'utf8')

/** Made ahead, so that the next run finds it. */
let spare: Promise<QuickJSWASMModule> = newQuickJSWASMModuleFromVariant(compiled)
let current: GuestRun | undefined

const tell = (message: FromSandbox) => void process.send?.(message)

process.on('message', async (message: ToSandbox) => {
  if (message.type === 'fetched') return current?.fetched(message)
  const quickjs = await spare
  current = new GuestRun(quickjs, guest, message.task, {
    tell,
    ended() {
      current = undefined
      spare = newQuickJSWASMModuleFromVariant(compiled)
    },
  })
  current.start()
})

await spare
tell({ type: 'ready' })
