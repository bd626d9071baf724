import { text } from 'node:stream/consumers'
import { fromBufferPromise, type ZipFile } from 'yauzl'

const MAX_ENTRIES = 5_000
/** Maximum size of all kept files, unpacked. */
const MAX_BYTES = 4_000_000
const READ = /\.(c?js|json)$/
/** Kept without content, so that requiring one gives a helpful error. */
const NAMED = /\.(node|mjs|wasm)$/

/** The files of an archive by path, or why they cannot be used. Runs in a worker process. */
export async function work(bytes: Buffer): Promise<{ files: Record<string, string> } | { problem: string }> {
  const files: Record<string, string> = {}
  let remaining = MAX_BYTES
  let entries = 0
  const zip: ZipFile = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    if (++entries > MAX_ENTRIES) return { problem: `This ZIP file has more than ${MAX_ENTRIES} files.` }
    const path = entry.fileName.replace(/^\.\//, '')
    if (NAMED.test(path)) files[path] = ''
    if (!READ.test(path)) continue
    remaining -= entry.uncompressedSize
    if (remaining < 0) return { problem: `The code in this ZIP file is larger than ${MAX_BYTES / 1_000_000} MB.` }
    files[path] = (await text(await zip.openReadStreamPromise(entry))).replaceAll('\u0000', '')
  }
  return { files }
}
