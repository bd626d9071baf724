import { text } from 'node:stream/consumers'
import { fromBufferPromise, type ZipFile } from 'yauzl'
import { type MarkdownFile, readMarkdownFile } from './markdown-file.ts'

const MAX_ENTRIES = 20_000
const MAX_ARTICLES = 2_000
const MAX_FILE_BYTES = 800_000
const MAX_BYTES = 60_000_000

/** The Markdown files of an archive, or why it cannot be read. Runs in a worker process. */
export async function work(
  bytes: Buffer,
): Promise<{ files: MarkdownFile[]; tooLarge: string[] } | { problem: string }> {
  const files: MarkdownFile[] = []
  const tooLarge: string[] = []
  let remaining = MAX_BYTES
  let entries = 0
  const zip: ZipFile = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    if (++entries > MAX_ENTRIES) return { problem: `This ZIP file has more than ${MAX_ENTRIES} files.` }
    const path = entry.fileName.replace(/^\.\//, '')
    if (!/\.(md|markdown)$/i.test(path) || /(^|\/)(__MACOSX|\.)/.test(path)) continue
    if (entry.uncompressedSize > MAX_FILE_BYTES) {
      tooLarge.push(path)
      continue
    }
    remaining -= entry.uncompressedSize
    if (remaining < 0 || files.length >= MAX_ARTICLES) {
      return { problem: `This ZIP file has more than ${MAX_ARTICLES} articles. Split it into several files.` }
    }
    files.push(readMarkdownFile(path, await text(await zip.openReadStreamPromise(entry))))
  }
  return { files, tooLarge }
}
