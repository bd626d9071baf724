import { buffer, text } from 'node:stream/consumers'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import type { ZippedFile } from './imported-files.ts'
import { linkTargets, pathOfTarget } from './link-targets.ts'
import { type MarkdownFile, readMarkdownFile } from './markdown-file.ts'

const MAX_ENTRIES = 20_000
const MAX_ARTICLES = 2_000
const MAX_ARTICLE_BYTES = 800_000
const MAX_FILES = 1_000
const MAX_FILE_BYTES = 8_000_000
/** Of all articles, and of all files, once they are unpacked. */
const MAX_BYTES = 60_000_000
const MARKDOWN = /\.(md|markdown)$/i

export interface Folder {
  files: MarkdownFile[]
  /** What the articles link of the archive: pictures, and others. */
  linked: ZippedFile[]
  /** Paths of articles and files that are too large. */
  tooLarge: string[]
}

/** The Markdown files of an archive with the files that they link, or why it cannot be read. Runs in a worker process. */
export async function work(bytes: Buffer): Promise<Folder | { problem: string }> {
  const zip: ZipFile = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName.replace(/^\.\//, '').normalize('NFC')
    if (/(^|\/)(__MACOSX|\.)/.test(path) || path.endsWith('/')) continue
    if (entries.size >= MAX_ENTRIES) return { problem: `This ZIP file has more than ${MAX_ENTRIES} files.` }
    entries.set(path, entry)
  }
  const folder: Folder = { files: [], linked: [], tooLarge: [] }
  const articles = [...entries].filter(([path]) => MARKDOWN.test(path))
  const small = withinSize(articles, MAX_ARTICLE_BYTES, folder)
  if (small.length > MAX_ARTICLES || sizeOf(small) > MAX_BYTES) {
    return { problem: `This ZIP file has more than ${MAX_ARTICLES} articles. Split it into several files.` }
  }
  for (const [path, entry] of small) {
    folder.files.push(readMarkdownFile(path, await text(await zip.openReadStreamPromise(entry))))
  }
  const linked = withinSize(linkedEntries(folder.files, entries), MAX_FILE_BYTES, folder)
  if (linked.length > MAX_FILES || sizeOf(linked) > MAX_BYTES) {
    return { problem: `The articles in this ZIP file have more than ${MAX_FILES} files. Split it into several files.` }
  }
  for (const [path, entry] of linked) {
    folder.linked.push({ path, bytes: await buffer(await zip.openReadStreamPromise(entry)) })
  }
  return folder
}

type Named = [path: string, entry: Entry]

function withinSize(entries: Named[], limit: number, { tooLarge }: Folder): Named[] {
  return entries.filter(([path, { uncompressedSize }]) => {
    if (uncompressedSize > limit) tooLarge.push(path)
    return uncompressedSize <= limit
  })
}

function sizeOf(entries: Named[]): number {
  return entries.reduce((sum, [, { uncompressedSize }]) => sum + uncompressedSize, 0)
}

function linkedEntries(files: MarkdownFile[], entries: Map<string, Entry>): Named[] {
  const paths = files.flatMap(({ path, body }) => linkTargets(body).map((target) => pathOfTarget(path, target)))
  return [...new Set(paths)].flatMap((path) => {
    const entry = path === undefined || MARKDOWN.test(path) ? undefined : entries.get(path)
    return entry ? [[path!, entry]] : []
  })
}
