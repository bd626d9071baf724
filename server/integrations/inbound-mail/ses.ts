import { buffer } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { type Context, perServer } from '../../context.ts'
import { BadRequest, Refusal } from '../../errors.ts'
import type { Proof } from '../../features/mail/conversation-mails/sender.ts'
import { openS3Store } from '../../platform/files/s3-store.ts'
import type { RelayedMail } from './relay-formats.ts'
import { Feedback, writeFeedbackMail } from './ses-feedback.ts'

const Check = z.optional(z.object({ status: z.string() }))
/** SES's notification about a received mail. */
const Notification = z.object({
  notificationType: z.literal('Received'),
  mail: z.object({ source: z.optional(z.string()) }),
  receipt: z.object({
    recipients: z.array(z.string()),
    dmarcVerdict: Check,
    action: z.object({
      encoding: z.optional(z.string()),
      bucketName: z.optional(z.string()),
      objectKey: z.optional(z.string()),
    }),
  }),
  content: z.optional(z.string()),
})

/**
 * The mail of a verified notification: inside it, or in the bucket it names if that is ours. A notification about a
 * bounce or a complaint becomes the mail that a mail server would have sent.
 * @throws BadRequest if there is no mail; Refusal while the bucket does not deliver it
 */
export async function readSes(context: Context, text: string): Promise<RelayedMail> {
  const notification = readNotification(text)
  if (notification.notificationType !== 'Received') return writeFeedbackMail(notification)
  const { mail, receipt, content } = notification
  const { encoding, bucketName, objectKey } = receipt.action
  const envelope = {
    recipients: receipt.recipients,
    proof: proofOf(receipt.dmarcVerdict?.status),
    ...(mail.source !== undefined && { from: mail.source }),
  }
  if (content !== undefined)
    return { ...envelope, raw: Buffer.from(content, encoding === 'BASE64' ? 'base64' : 'utf8') }
  if (objectKey && bucketName === context.config.sesBucketName) {
    return { ...envelope, raw: await readFromBucket(context, objectKey) }
  }
  throw new BadRequest(
    'The notification contains no mail. Use the SES action that publishes the whole mail, or set SES_BUCKET_NAME to the bucket in which it is stored.',
  )
}

function readNotification(text: string) {
  try {
    return z.parse(z.union([Notification, Feedback]), JSON.parse(text))
  } catch {
    throw new BadRequest('This is not a notification of SES about a received mail, a bounce or a complaint.')
  }
}

/** The notification is signed, so SES's verdict can be trusted. It does not say for which domain it was given. */
function proofOf(dmarc: string | undefined): Proof {
  return { result: dmarc === 'PASS' ? 'pass' : dmarc === 'FAIL' ? 'fail' : 'none', domain: null }
}

/**
 * The bytes of a mail that SES has stored in the bucket of SES_BUCKET_NAME.
 * @throws Refusal if there is no such bucket, or the mail is not in it (yet)
 */
export async function readFromBucket(context: Context, key: string): Promise<Buffer> {
  const bucket = await bucketOf(context)
  if (!bucket) throw new Refusal(503, 'No S3 bucket for SES is configured. Set SES_BUCKET_NAME.')
  const stream = await bucket.get(key).catch((error: unknown) => {
    context.log.warn({ err: error }, 'A mail could not be read from the S3 bucket of SES')
    return undefined
  })
  if (!stream) throw new Refusal(503, 'The mail could not be read from the S3 bucket.')
  return buffer(stream)
}

const bucketOf = perServer(async ({ config }) => {
  const { sesBucketName: bucket, sesRegion, s3Region, s3Endpoint: endpoint, s3AccessKeyId, s3SecretAccessKey } = config
  if (!bucket) return undefined
  const region = sesRegion ?? s3Region
  return openS3Store({ bucket, region, endpoint, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey })
})
