import { HEADER_BYTES, HEADER_LINES } from '../../features/mail/conversation-mails/mime/limits.ts'

/** Signatures that are checked: each hashes the whole mail, and mails of people have two or three. */
const MAX_SIGNATURES = 5
/** Of a Received field. Parsing a longer one takes the square of its length, and real ones have some hundred. */
const MAX_RECEIVED = 2_000

const SIGNATURE = /^(?:dkim-signature|arc-message-signature|arc-seal)[ \t]*:/i
const RECEIVED = /^received[ \t]*:/i

/**
 * A mail for the check of its sender: with its first few signatures only, and without excessive fields. Undefined if
 * its headers are too long to be checked.
 */
export function limitHeaders(raw: Buffer): Buffer | undefined {
  const start = raw.subarray(0, HEADER_BYTES).toString('latin1')
  const { index, 0: emptyLine } = /\r?\n\r?\n/.exec(start) ?? { index: start.length, 0: '' }
  if (!emptyLine && raw.length > HEADER_BYTES) return undefined
  // Unfolding takes the square of the number of lines.
  if (start.slice(0, index).split('\n', HEADER_LINES + 1).length > HEADER_LINES) return undefined
  // Each field with its continuation lines.
  const fields = start.slice(0, index).split(/\r?\n(?![ \t])/)
  let signatures = 0
  const kept = fields.filter((field) =>
    SIGNATURE.test(field) ? ++signatures <= MAX_SIGNATURES : field.length <= MAX_RECEIVED || !RECEIVED.test(field),
  )
  if (kept.length === fields.length) return raw
  return Buffer.concat([Buffer.from(kept.join('\r\n'), 'latin1'), raw.subarray(index)])
}
