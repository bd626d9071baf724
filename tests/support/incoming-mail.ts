import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { TestServer } from './server.ts'

/** The secret shared with relays. */
export const RELAY_KEY = 'the key of the relay, as the operator chose it'

export interface MailDraft {
  to: string
  text: string
  headers?: Record<string, string>
  from?: string
  /** Sender of the envelope. */
  sender?: string
}

/** The bytes of a mail as a mail program would write them. */
export function writeMail({ to, text, headers = {}, from = 'Carla Mendes <carla@example.org>' }: MailDraft): string {
  const all = {
    From: from,
    To: to,
    Subject: 'My order',
    'Message-ID': `<${randomBytes(8).toString('hex')}@example.org>`,
    ...headers,
  }
  return `${Object.entries(all)
    .flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
    .join('\r\n')}\r\n\r\n${text}\r\n`
}

export function relayMail(server: TestServer, raw: string | Buffer, query: Record<string, string>, key = RELAY_KEY) {
  const address = `${server.url}/api/inbound_mail/${encodeURIComponent(key)}?${new URLSearchParams(query)}`
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: new Uint8Array(Buffer.from(raw)),
  })
}

/** Waits until all received mails were processed. */
export async function allProcessed({ context }: TestServer): Promise<void> {
  const waiting = () => context.db.selectFrom('inbound_events').select('id').where('state', '=', 'waiting').execute()
  await expect.poll(waiting).toEqual([])
}
