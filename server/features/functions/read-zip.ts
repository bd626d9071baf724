import { text } from 'node:stream/consumers'
import type { ZipFile } from 'yauzl'
import { Unacceptable } from '../../errors.ts'
import type { Deployment } from './functions.ts'

const MAX_ENTRIES = 5_000
/** Maximum size of all kept files, unpacked. */
const MAX_BYTES = 4_000_000
const READ = /\.(c?js|json)$/
/** Kept without content, so that requiring one gives a helpful error. */
const NAMED = /\.(node|mjs|wasm)$/

/**
 * Reads an upload of the predecessor's dashboard: a zip with `index.js` and the modules it requires.
 * @throws Unacceptable
 */
export async function readZip(bytes: Buffer): Promise<Required<Deployment>> {
  const files = await unpack(bytes).catch((error: unknown) => {
    if (error instanceof Unacceptable) throw error
    throw new Unacceptable('This file is not a valid ZIP file. Upload a ZIP file that contains index.js.')
  })
  const { 'index.js': code, ...modules } = files
  if (code === undefined) throw new Unacceptable('This ZIP file has no index.js at its top level. Add it there.')
  return { code, modules }
}

async function unpack(bytes: Buffer): Promise<Record<string, string>> {
  const { fromBufferPromise } = await import('yauzl')
  const zip: ZipFile = await fromBufferPromise(bytes, { lazyEntries: true })
  const files: Record<string, string> = {}
  let left = MAX_BYTES
  let entries = 0
  for await (const entry of zip.eachEntry()) {
    if (++entries > MAX_ENTRIES) throw new Unacceptable(`This ZIP file has more than ${MAX_ENTRIES} files.`)
    const path = entry.fileName.replace(/^\.\//, '')
    if (NAMED.test(path)) files[path] = ''
    if (!READ.test(path)) continue
    left -= entry.uncompressedSize
    if (left < 0) throw new Unacceptable(`The code in this ZIP file is larger than ${MAX_BYTES / 1_000_000} MB.`)
    files[path] = (await text(await zip.openReadStreamPromise(entry))).replaceAll('\u0000', '')
  }
  return files
}
