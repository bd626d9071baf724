import type { MailAuthor } from './find-author.ts'
import type { MailAddress } from './parse.ts'
import type { MailReading } from './read-mail.ts'

const ADDRESSES = 50
const TEXT = 500

/**
 * The message of a mail. The keys of the metadata are those that existing clients read; customers see none of them.
 */
export function draftOf({ mail, content, sender, verdict }: MailReading, author: MailAuthor) {
  const note = noteOf(author, sender.address, verdict.kind === 'automatic')
  const body = content.body || (mail.files.length > 0 ? '' : mail.subject || '(no text)')
  return {
    body: [note, body].filter(Boolean).join('\n\n').slice(0, 50_000),
    source: 'email' as const,
    email: { subject: mail.subject || null, html: note ? null : content.html },
    metadata: {
      ses_message_id: mail.message_id,
      ses_subject: mail.subject.slice(0, TEXT),
      ses_from: mail.from?.address ?? null,
      ses_to: mail.to.slice(0, ADDRESSES).map(({ address }) => address),
      ses_cc: mail.cc.slice(0, ADDRESSES).map(({ address }) => address),
      ses_in_reply_to: mail.in_reply_to[0]?.slice(0, TEXT) ?? null,
      ses_references: mail.references.slice(-10),
      ...(author.kind === 'other' && { mail_sender: author.from }),
      ...(sender.result === 'fail' && { mail_sender_not_verified: true }),
    },
  }
}

/** The first line of a note, which says where its text comes from. */
function noteOf(author: MailAuthor, from: MailAddress | null, isAutomatic: boolean): string | undefined {
  if (isAutomatic) return `Automatic answer from ${from?.address}:`
  if (author.kind !== 'unproven user') return undefined
  return `A mail in the name of ${author.name} came from ${from?.address}, and nothing proves that they wrote it:`
}
