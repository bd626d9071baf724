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

// The process for untrusted code: it has no environment, no files except its own code, and cannot start other
// processes. It runs one function at a time, each in a WebAssembly memory of its own.

/** Available in Node.js, but missing in its types. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<never>
  Memory: new (pages: { initial: number; maximum: number }) => never
}
/** Bytes. */
const PAGE = 65_536
/** QuickJS's initial memory, in pages. */
const FIRST_PAGES = 256

// The types describe the CommonJS form, which is nested one level deeper.
const variant: QuickJSSyncVariant = 'default' in imported ? imported.default : imported
const wasm = fileURLToPath(import.meta.resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm'))
const compiled = newVariant(variant, {
  wasmModule: await WebAssembly.compile(await readFile(wasm)),
  // QuickJS's own limit does not work here: it relies on an allocation size that this build does not know, and would
  // allow 2 GB.
  wasmMemory: async () =>
    new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: Math.ceil(LIMITS.memoryBytes / PAGE) }),
})
const guest = await readFile(new URL('./guest.js', import.meta.url), 'utf8')

/** Created in advance for the next run. */
let spare: Promise<QuickJSWASMModule> = newQuickJSWASMModuleFromVariant(compiled)
let current: GuestRun | undefined

const send = (message: FromSandbox) => void process.send?.(message)

process.on('message', async (message: ToSandbox) => {
  if (message.type === 'fetched') return current?.fetched(message)
  const quickjs = await spare
  current = new GuestRun(quickjs, guest, message.task, {
    send,
    ended() {
      current = undefined
      spare = newQuickJSWASMModuleFromVariant(compiled)
    },
  })
  current.start()
})

await spare
send({ type: 'ready' })
