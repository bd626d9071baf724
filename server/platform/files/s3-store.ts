import type { Readable } from 'node:stream'
import { checkKey, type FileStore } from './file-store.ts'

/** Where the bucket is, and who signs the requests. */
export interface S3Settings {
  bucket: string
  region: string
  /** For stores that speak S3 but are not Amazon's. */
  endpoint?: string
  accessKeyId?: string
  secretAccessKey?: string
}

/** Files in an S3 bucket, which stays private: Parley hands the bytes out itself. The SDK is loaded only when it is used. */
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
    // Without keys of its own the SDK finds those of the machine it runs on.
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
