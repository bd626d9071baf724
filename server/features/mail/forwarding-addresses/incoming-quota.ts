import type { Context } from '../../../context.ts'
import { TooMany } from '../../../errors.ts'
import { mailAdmins } from '../mails/mail-admins.ts'
import { translate } from '../mails/translate.ts'

const MB = 1_000_000
const DAY = 86_400
/** Mail for one account: far more than a busy team receives, and far less than fills a disk within a night. */
const MAILS = { capacity: 5_000, perSecond: 20_000 / DAY }
const BYTES = { capacity: 1_000 * MB, perSecond: (2_000 * MB) / DAY }

/** An account has received so much mail that the next one has to wait at its sender. */
export class MailQuotaExceeded extends TooMany {}

/**
 * Counts a mail before it is stored. Strangers decide how much mail arrives, so without a limit they fill the disk.
 * Admins are told once a day.
 * @throws MailQuotaExceeded
 */
export async function consumeMailQuota(context: Context, account_id: string, bytes: number): Promise<void> {
  const { config, limits, change } = context
  if (!config.rateLimits) return
  const mails = await limits.take(`mail-in:${account_id}`, MAILS)
  const size = mails.allowed ? await limits.take(`mail-in-bytes:${account_id}`, BYTES, bytes) : mails
  if (size.allowed) return
  const href = `${config.baseUrl}/settings/health`
  const about = new Date().toISOString().slice(0, 10)
  await change((tx) =>
    mailAdmins(context, tx, account_id, { kind: 'mail_quota', about }, (language) => ({
      language,
      subject: translate(language, 'mail_quota_subject'),
      preview: translate(language, 'mail_quota_text'),
      parts: [
        { type: 'text', text: translate(language, 'mail_quota_text') },
        { type: 'button', label: translate(language, 'mail_quota_button'), href },
      ],
    })),
  )
  throw new MailQuotaExceeded(size.retryAfterSeconds)
}
