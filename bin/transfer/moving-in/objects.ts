import { readFile, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { OperatorError } from '#server/platform/operator-error.ts'
import { type Outbound, ResponseTooLarge, readBytes } from '#server/platform/outbound/outbound.ts'

/** A file of the source. */
export interface SourceFile {
  /** Its path in the product's folder or bucket. */
  object: string
  url: string | null
}

/** Finds the bytes of a file; undefined if they are not to be had. */
export type ReadObject = (file: SourceFile) => Promise<Buffer | 'too large' | undefined>

/** Storing, backing up and restoring a file holds all of it in memory. */
export const MAX_FILE_BYTES = 64_000_000
const FETCH_MS = 30_000
/** From an address that stays to the one of today: in a bucket, for example. */
const REDIRECTS = 3
const BUCKET = /^s3:\/\/([^/]+)\/?(.*)$/

/**
 * Where the bytes of files are: in a folder or a bucket that the operator names, or else at their public addresses.
 * @param outbound guards requests to those addresses, which anybody could put into the old database
 */
export async function openObjects(
  files: string | undefined,
  endpoint: string | undefined,
  outbound: Outbound,
): Promise<ReadObject> {
  if (!files) return ({ url }) => fetchBytes(outbound, url)
  const [, bucket, prefix = ''] = BUCKET.exec(files) ?? []
  if (bucket) return openBucket(bucket, prefix, endpoint)
  const folder = resolve(files)
  const { isDirectory } = await stat(folder).then(
    (stats) => ({ isDirectory: stats.isDirectory() }),
    () => ({ isDirectory: false }),
  )
  if (!isDirectory) throw new OperatorError(`--files: ${folder} is no folder.`)
  return ({ object }) => readFromFolder(folder, object)
}

async function readFromFolder(folder: string, object: string): ReturnType<ReadObject> {
  const path = resolve(folder, object)
  // Names come from the old database, so they must not lead out of the folder.
  if (!path.startsWith(folder + sep)) return undefined
  try {
    return (await stat(path)).size > MAX_FILE_BYTES ? 'too large' : await readFile(path)
  } catch {
    return undefined
  }
}

/** The keys are those of the machine: `AWS_ACCESS_KEY_ID` and the other ways that Amazon's tools know. */
async function openBucket(bucket: string, prefix: string, endpoint: string | undefined): Promise<ReadObject> {
  const { S3Client, GetObjectCommand, S3ServiceException } = await import('@aws-sdk/client-s3')
  const client = new S3Client({ followRegionRedirects: true, ...(endpoint && { endpoint, forcePathStyle: true }) })
  const folder = prefix && !prefix.endsWith('/') ? `${prefix}/` : prefix
  return async ({ object }) => {
    try {
      const { Body, ContentLength = 0 } = await client.send(
        new GetObjectCommand({ Bucket: bucket, Key: folder + object }),
      )
      if (!Body) return undefined
      if (ContentLength > MAX_FILE_BYTES) {
        // What is not read would keep its connection.
        ;(Body as Readable).destroy()
        return 'too large'
      }
      // Some servers do not say the size before.
      return await readBytes(Body as Readable, { bytes: MAX_FILE_BYTES })
    } catch (error) {
      if (error instanceof ResponseTooLarge) return 'too large'
      if (error instanceof S3ServiceException && error.name === 'NoSuchKey') return undefined
      // Anything else holds for every file: a wrong name, key or region.
      const { name, message } = error as Error
      throw new OperatorError(
        `The bucket ${bucket} cannot be read (${name}: ${message}). What was moved stays. Check AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and run the import again.`,
      )
    }
  }
}

async function fetchBytes(outbound: Outbound, url: string | null): ReturnType<ReadObject> {
  if (!url) return undefined
  const limits = { timeout_ms: FETCH_MS, max_bytes: MAX_FILE_BYTES, redirects: REDIRECTS }
  // Papercups stored addresses as they are, without encoding the names in them.
  try {
    const { ok, bytes } = await outbound.request(encodeURI(decodeSafely(url)), limits)
    return ok ? bytes : undefined
  } catch (error) {
    return error instanceof ResponseTooLarge ? 'too large' : undefined
  }
}

function decodeSafely(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
