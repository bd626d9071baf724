import { buffer } from 'node:stream/consumers'
import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { readContent } from '../../../platform/files/content.ts'
import { type FileRecord, findUsedInArticles, loadFiles, storeContent } from '../../conversations/files/files.ts'
import { mayUpload } from '../../conversations/files/upload-limits.ts'
import { linkTargets, pathOfTarget, replaceTargets } from './link-targets.ts'

/** A picture or another file of an archive. */
export interface ZippedFile {
  path: string
  bytes: Uint8Array
}

type Needed = Pick<Context, 'db' | 'change' | 'config' | 'files' | 'pictures'>

/** Where exports write files: their ids tell those of the same account. */
const EXPORTED = /(?:^|\/)files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[^/]+$/i

/** The files of one import. Each is stored once, and not at all if an article has the same file already. */
export class ImportedFiles {
  readonly #context: Needed
  readonly #caller: User
  readonly #zipped: Map<string, ZippedFile>
  readonly #stored = new Map<string, Promise<FileRecord | undefined>>()

  constructor(context: Needed, caller: User, zipped: ZippedFile[]) {
    this.#context = context
    this.#caller = caller
    this.#zipped = new Map(zipped.map((file) => [file.path, file]))
  }

  /**
   * The text of an article whose relative links to files of the archive lead to the stored files. Others stay.
   * @throws Unacceptable; WorkersBusy
   */
  async relinkFiles(path: string, body: string): Promise<string> {
    const addresses = new Map<string, string>()
    for (const target of linkTargets(body)) {
      const wanted = pathOfTarget(path, target)
      const file = wanted === undefined ? undefined : await this.#find(wanted)
      if (file) addresses.set(target, file.file_url)
    }
    return replaceTargets(body, (target) => addresses.get(target))
  }

  #find(path: string): Promise<FileRecord | undefined> {
    const stored = this.#stored.get(path) ?? this.#store(path)
    this.#stored.set(path, stored)
    return stored
  }

  async #store(path: string): Promise<FileRecord | undefined> {
    const { db, config, pictures } = this.#context
    const { account_id } = this.#caller
    const zipped = this.#zipped.get(path)
    if (!zipped) {
      const id = EXPORTED.exec(path)?.[1]?.toLowerCase()
      return id ? (await loadFiles(db, account_id, [id]))[0] : undefined
    }
    const filename = path.split('/').at(-1)!
    const bytes = Buffer.from(zipped.bytes)
    const same = await this.#findSame(filename, bytes)
    if (same) return same
    if (!mayUpload(config, account_id)) throw new Unacceptable('Attaching files is switched off for this account.')
    const content = await readContent(pictures, account_id, bytes)
    return (
      (await this.#findSame(filename, content.bytes)) ??
      storeContent(this.#context, account_id, this.#caller, { filename, ...content })
    )
  }

  /** A file of an article with this name and these contents. */
  async #findSame(filename: string, bytes: Buffer): Promise<FileRecord | undefined> {
    const { db, files } = this.#context
    const { account_id } = this.#caller
    for (const { key, ...file } of await findUsedInArticles(db, account_id, { filename, size: bytes.length })) {
      const stored = await files.get(key)
      if (stored && bytes.equals(await buffer(stored))) return file
    }
    return undefined
  }
}
