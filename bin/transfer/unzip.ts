import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/**
 * Decompresses a file up to its end or the first damage: yields everything before that, then throws. A failed pipe
 * would drop data that was decompressed but not yet read, depending on timing.
 */
export async function* unzip(path: string): AsyncGenerator<Buffer> {
  // On damage the current chunk is lost: at most this many bytes.
  const gunzip = createGunzip({ chunkSize: 1024 })
  const unzipped: Buffer[] = []
  gunzip.on('data', (bytes: Buffer) => unzipped.push(bytes))
  const failed = new Promise<Error>((settle) => gunzip.once('error', settle))
  async function* take(done: Promise<unknown>) {
    const error = await Promise.race([failed, done])
    yield* unzipped.splice(0)
    if (error instanceof Error) throw error
  }
  try {
    for await (const bytes of createReadStream(path)) {
      yield* take(new Promise<void>((settle) => gunzip.write(bytes, () => settle())))
    }
    yield* take(once(gunzip.end(), 'end'))
  } finally {
    gunzip.destroy()
  }
}
