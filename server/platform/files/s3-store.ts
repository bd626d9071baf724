import type { Readable } from 'node:stream'
import { checkKey, type FileStore, StoreFailed } from './file-store.ts'

/** Address and credentials of a bucket. */
export interface S3Settings {
  bucket: string
  region: string
  /** For S3-compatible stores other than Amazon's. */
  endpoint?: string
  accessKeyId?: string
  secretAccessKey?: string
}

/** A store that accepts connections and then says nothing must not keep people waiting. */
const TIMEOUTS = {
  connectionTimeout: 5_000,
  /** Until the response begins. */
  requestTimeout: 15_000,
  throwOnRequestTimeout: true,
  /** Without any byte in either direction. */
  socketTimeout: 15_000,
}
const MAX_ATTEMPTS = 2
const CHECK_MS = 4_000
/** Read to see whether the store works: a key with rights for objects only must not ask about the bucket itself. */
const CHECK_KEY = 'parley-check'

/** Files in a private S3 bucket: Parley serves the contents itself. The SDK is only loaded when used. */
export async function openS3Store({
  bucket,
  region,
  endpoint,
  accessKeyId,
  secretAccessKey,
}: S3Settings): Promise<FileStore> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region,
    requestHandler: TIMEOUTS,
    maxAttempts: MAX_ATTEMPTS,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Without these keys the SDK uses those of the machine.
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  })
  const fail = (error: unknown): never => {
    throw explain(error, bucket)
  }
  return {
    async put(Key, Body, ContentType) {
      await client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: checkKey(Key), Body, ContentType })).catch(fail)
    },
    async get(key, range) {
      const wanted = {
        Bucket: bucket,
        Key: checkKey(key),
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      }
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand(wanted))
        return Body as Readable | undefined
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined
        return fail(error)
      }
    },
    async remove(Key) {
      await client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: checkKey(Key) })).catch(fail)
    },
    async check() {
      const object = { Bucket: bucket, Key: CHECK_KEY }
      const options = { abortSignal: AbortSignal.timeout(CHECK_MS) }
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand(object), options)
        await Body?.transformToByteArray()
      } catch (error) {
        // The first time there is no such object. Without the right to list the bucket the answer is 403.
        if (!(error instanceof sdk.S3ServiceException)) return fail(error)
        await client.send(new sdk.PutObjectCommand({ ...object, Body: 'ok' }), options).catch(fail)
      }
    },
  }
}

/** What the operator can do about a failure. */
function explain(error: unknown, bucket: string): StoreFailed {
  const { name = '', message = '', $metadata } = error as Partial<Error> & { $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode
  const failed = (sentence: string, isLasting: boolean) => new StoreFailed(sentence, { cause: error, isLasting })
  if (name === 'NoSuchBucket' || status === 404)
    return failed(`The file store has no bucket named ${bucket}: create it, or correct S3_BUCKET.`, true)
  if (status === 401 || status === 403)
    return failed(
      `The file store refuses access to the bucket ${bucket}: check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the rights of that key.`,
      true,
    )
  if (status === 301 || status === 307 || name === 'PermanentRedirect')
    return failed(`The bucket ${bucket} is in another region: correct S3_REGION or S3_ENDPOINT.`, true)
  const reason = /timeout|abort/i.test(name) ? 'it does not answer in time' : message || name
  return failed(`The file store cannot be reached (S3_ENDPOINT): ${reason}.`, false)
}
