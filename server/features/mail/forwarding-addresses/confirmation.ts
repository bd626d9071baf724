import type { ForwardingAddress } from '#contract/mail/forwarding-addresses.ts'
import type { ParsedMail } from '../conversation-mails/parse.ts'
import type { ProofResult } from '../conversation-mails/sender.ts'

const SERVICES = [
  {
    from: /^forwarding-noreply@google\.com$/,
    link: /https:\/\/mail(?:-settings)?\.google\.com\/mail\/[a-z]+f-[^\s<>"]+/,
  },
  {
    from: /@(?:accountprotection\.)?microsoft\.com$/,
    // Not on hosts where anybody can publish pages, such as forms.office.com and onedrive.live.com.
    link: /https:\/\/(?:account|login)\.(?:live|microsoft)\.com\/[^\s<>"]+/,
  },
]
const CODE = /\(#(\d{4,12})\)|\b(?:code|Code|mã)\D{0,40}?(\d{4,12})\b/

/**
 * Parses a mail service's request to confirm forwarding: somebody has to enter a code there, or open a link. Anybody can
 * write a mail that looks like one, so the link is only shown if the service is proven to be its sender, and nothing if
 * it is proven not to be.
 */
export function readConfirmation(
  { from, subject, text = '' }: ParsedMail,
  proof: ProofResult,
): ForwardingAddress['confirmation'] {
  if (proof === 'fail') return null
  const service = SERVICES.find((candidate) => candidate.from.test(from?.address ?? ''))
  if (!from || !service) return null
  const [, inSubject, inText] = CODE.exec(`${subject}\n${text.slice(0, 5_000)}`) ?? []
  const link = proof === 'pass' ? (service.link.exec(text.slice(0, 5_000))?.[0] ?? null) : null
  const code = inSubject ?? inText ?? null
  return code || link ? { from: from.address, code, link, at: new Date().toISOString() } : null
}
