import type { ForwardingAddress } from '#contract/forwarding-addresses.ts'
import type { ParsedMail } from '../conversation-mails/parse.ts'

const SERVICES = [
  { from: /^forwarding-noreply@google\.com$/, link: /https:\/\/mail(?:-settings)?\.google\.com\/mail\/[^\s<>"]+/ },
  {
    from: /@(?:accountprotection\.)?microsoft\.com$/,
    link: /https:\/\/[a-z.]*\.(?:live|microsoft|office)\.com\/[^\s<>"]+/,
  },
]
const CODE = /\(#(\d{4,12})\)|\b(?:code|Code|mã)\D{0,40}?(\d{4,12})\b/

/** Parses a mail service's request to confirm forwarding: somebody has to enter a code there, or open a link. */
export function readConfirmation({ from, subject, text = '' }: ParsedMail): ForwardingAddress['confirmation'] {
  const service = SERVICES.find((one) => one.from.test(from?.address ?? ''))
  if (!from || !service) return null
  const [, inSubject, inText] = CODE.exec(`${subject}\n${text.slice(0, 5_000)}`) ?? []
  const link = service.link.exec(text.slice(0, 5_000))?.[0] ?? null
  const code = inSubject ?? inText ?? null
  return code || link ? { from: from.address, code, link, at: new Date().toISOString() } : null
}
