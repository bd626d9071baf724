import type { MessageDraft } from '#contract/conversations/messages.ts'
import type { ChosenMail } from './mail-options.ts'

/**
 * Existing clients choose copies and subject of a mail in the metadata of the message, because their API has no other field.
 * Everything that receives messages from such clients translates them with this, so that inside metadata means nothing. It
 * stays in the message, as these clients read it again. Typed options count instead, if there are any.
 */
export function withMailOfMetadata<Draft extends Pick<MessageDraft, 'mail' | 'metadata'>>(
  draft: Draft,
): Draft & ChosenMail {
  const { mail_cc, mail_bcc, mail_subject } = draft.metadata ?? {}
  if (draft.mail || (!mail_cc && !mail_bcc && !mail_subject)) return draft
  const subject = typeof mail_subject === 'string' && mail_subject.trim() ? mail_subject.trim() : undefined
  const mail = { to: undefined, cc: listed(mail_cc), bcc: listed(mail_bcc), subject, quote: undefined }
  return { ...draft, mail, isMailOptional: true }
}

function listed(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}
