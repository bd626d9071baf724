import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

/**
 * What a compressed file holds, up to its end or the place where it is damaged: everything before that comes first, and
 * then the error. Piped streams drop what was unpacked and not yet read when they fail, which depends on who is faster.
 */
export async function* unzip(path: string): AsyncGenerator<Buffer> {
  // What it has begun to unpack is lost where it meets damage: at most so many bytes.
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
