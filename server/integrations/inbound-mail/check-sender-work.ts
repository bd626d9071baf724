import { authenticate } from 'mailauth'
import { type Proof, UNPROVEN } from '../../features/mail/conversation-mails/sender.ts'
import { limitHeaders } from './limit-headers.ts'

/** A mail, and who delivered it. */
export interface DeliveredMail {
  raw: Buffer
  from: string
  ip: string
  helo: string
}

/** Whether the domain in From authenticates the mail (SPF, DKIM, DMARC). Runs in a worker process. */
export async function work({ raw, from, ip, helo }: DeliveredMail): Promise<Proof> {
  const limited = limitHeaders(raw)
  if (!limited) return UNPROVEN
  const result = await authenticate(limited, { ip, helo, sender: from, disableArc: true, disableBimi: true })
  const status = result.dmarc ? result.dmarc.status : undefined
  const domain = status?.header?.from
  if (!domain || (status.result !== 'pass' && status.result !== 'fail')) return UNPROVEN
  return { result: status.result, domain }
}
