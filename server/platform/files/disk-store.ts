import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isStorageFull } from '../db/problems.ts'
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import { checkKey, type FileStore, StoreFailed } from './file-store.ts'

/** Files in a folder. A file is complete or missing, even after a power cut. */
export function openDiskStore(folder: string): FileStore {
  const path = (key: string) => join(folder, checkKey(key))
  const fail = (error: unknown): never => {
    if (isStorageFull(error)) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    throw new StoreFailed(`Files cannot be stored in ${folder} (${code}): check the disk and the permissions there.`, {
      cause: error,
    })
  }
  // One write at a time: commits of the database wait for the same disk.
  const writing = new ConcurrencyLimiter(1, Number.POSITIVE_INFINITY)
  return {
    async put(key, bytes) {
      const target = path(key)
      await writing.run('', () => writeWhole(target, bytes)).catch(fail)
    },
    async get(key, range) {
      const target = path(key)
      try {
        const file = await open(target, 'r')
        return createReadStream('', { fd: file, ...range })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        return fail(error)
      }
    },
    async remove(key) {
      await rm(path(key), { force: true }).catch(fail)
    },
    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(fail)
      await access(folder, constants.W_OK).catch(fail)
    },
  }
}

async function writeWhole(target: string, bytes: Buffer): Promise<void> {
  const half = `${target}.part`
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const file = await open(half, 'w', 0o600)
  try {
    // The remains of an interrupted write keep their permissions.
    await file.chmod(0o600)
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(half, target)
}
