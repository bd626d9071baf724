import { MAILBOXES } from '#contract/connections/kinds.ts'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { replyLocalPart } from '../../../platform/mail/signed-marks.ts'

/** Where mail is received: at a domain of its own, or in a mailbox by plus-addressing. */
type MailInSettings = Pick<Config, 'mailInDomain' | 'mailInAddress'>

/** Whether this installation can receive mail at all. */
export function canReceive({ mailInDomain, mailInAddress }: MailInSettings): boolean {
  return !!mailInDomain || !!mailInAddress
}

/** An address of ours for a local part; undefined if no mail can be received. */
export function ownAddress({ mailInDomain, mailInAddress }: MailInSettings, localPart: string): string | undefined {
  if (mailInAddress) {
    const [mailbox = '', domain = ''] = mailInAddress.toLowerCase().split('@')
    return `${mailbox}+${localPart}@${domain}`
  }
  return mailInDomain && `${localPart}@${mailInDomain.toLowerCase()}`
}

/** The address for replies to a conversation; undefined if no mail can be received. */
export function replyAddress(config: Config, conversation_id: string): string | undefined {
  return ownAddress(config, replyLocalPart(config.secretKey!, conversation_id))
}

/** The addresses this account sends from, in lower case: mails from one of them are our own. */
export async function listOwnAddresses(
  { db, config }: Pick<Context, 'db' | 'config'>,
  account_id: string,
): Promise<Set<string>> {
  const rows = await listSources(db, account_id)
  const mailboxes = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('address')
    .where('integration', 'in', MAILBOXES)
    .where('removed_at', 'is', null)
    .execute()
  const forwarding = rows.flatMap(({ source, forwarding_email_address }) => [source, forwarding_email_address])
  return new Set([
    addressIn(config.mailFrom),
    ...forwarding,
    ...mailboxes.flatMap(({ address }) => address?.toLowerCase() ?? []),
  ])
}

/** Addresses whose mail is forwarded to us, and whether that was verified. */
export async function listSources(db: Db, account_id: string) {
  const rows = await ofAccount(db, account_id)
    .selectFrom('forwarding_addresses')
    .select(['source_email_address', 'forwarding_email_address', 'inbox_id', 'verified_at'])
    .orderBy('created_at')
    .execute()
  return rows.map(({ source_email_address, ...row }) => ({ ...row, source: source_email_address.toLowerCase() }))
}

/** The address alone, in lower case. */
export function addressIn(from: string): string {
  return (/<([^>]+)>/.exec(from)?.[1] ?? from).toLowerCase()
}
