import type { Readable } from 'node:stream'
import { checkKey, type FileStore } from './file-store.ts'

/** Address and credentials of a bucket. */
export interface S3Settings {
  bucket: string
  region: string
  /** For S3-compatible stores other than Amazon's. */
  endpoint?: string
  accessKeyId?: string
  secretAccessKey?: string
}

/** Files in a private S3 bucket: Parley serves the contents itself. The SDK is only loaded when used. */
export async function openS3Store({
  bucket,
  region,
  endpoint,
  accessKeyId,
  secretAccessKey,
}: S3Settings): Promise<FileStore> {
  const { S3Client, PutObjectCommand, GetObjectCommand, DeleteObjectCommand, NoSuchKey } = await import(
    '@aws-sdk/client-s3'
  )
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Without these keys the SDK uses those of the machine.
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  })
  return {
    async put(Key, Body, ContentType) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: checkKey(Key), Body, ContentType }))
    },
    async get(Key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: checkKey(Key) }))
        return Body as Readable | undefined
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: checkKey(Key) }))
    },
  }
}
