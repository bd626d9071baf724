import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { openDiskStore } from './platform/files/disk-store.ts'
import type { FileStore } from './platform/files/file-store.ts'
import { openS3Store } from './platform/files/s3-store.ts'

/** The configured store for contents of files: a bucket, or the data folder. */
export async function openFileStore(config: Config): Promise<FileStore> {
  const { s3Bucket: bucket, s3Region: region, s3Endpoint: endpoint, s3AccessKeyId, s3SecretAccessKey } = config
  if (!bucket) return openDiskStore(resolve(config.dataDir, 'files'))
  return openS3Store({ bucket, region, endpoint, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey })
}

const MIN_BYTES = 1_000_000

/** Whether the disk of a folder, or of the database's log in it, is full. */
export async function isFolderFull(dataDir: string): Promise<boolean> {
  const folders = [dataDir, resolve(dataDir, 'postgres/pg_wal')]
  const room = await Promise.all(
    folders.map((folder) =>
      statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => Number.POSITIVE_INFINITY,
      ),
    ),
  )
  return Math.min(...room) < MIN_BYTES
}
