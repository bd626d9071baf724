import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** A running S3 server. */
export interface S3Server {
  url: string
  /** The settings with which Parley keeps its files there. */
  settings: Record<string, string>
  stop(): Promise<void>
}

const BUCKET = 'parley-files'

/** Starts an S3 server with one bucket. It checks signatures, with the credentials of its settings. */
export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    resetOnClose: false,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    settings: s3SettingsOf(url),
    async stop() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Settings for a server at this URL. */
export function s3SettingsOf(S3_ENDPOINT: string): Record<string, string> {
  return { S3_BUCKET: BUCKET, S3_ENDPOINT, S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' }
}
