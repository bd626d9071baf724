import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import { checkKey, type FileStore } from './file-store.ts'

/** Files in a folder. A file is complete or missing, even after a power cut. */
export function openDiskStore(folder: string): FileStore {
  const path = (key: string) => join(folder, checkKey(key))
  // One write at a time: commits of the database wait for the same disk.
  const writing = new ConcurrencyLimiter(1, Number.POSITIVE_INFINITY)
  return {
    async put(key, bytes) {
      const target = path(key)
      await writing.run('', () => writeWhole(target, bytes))
    },
    async get(key) {
      try {
        const file = await open(path(key), 'r')
        return createReadStream('', { fd: file })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async remove(key) {
      await rm(path(key), { force: true })
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
