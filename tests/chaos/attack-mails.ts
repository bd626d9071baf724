import { createTransport } from 'nodemailer'
import { MAIL_BOMBS, signedBomb } from '#tests/support/mail-bombs.ts'
import type { Attack } from './attacks.ts'

const BOMBS = [
  ...Object.values(MAIL_BOMBS),
  (subject: string) => signedBomb(subject, 2_000),
  (subject: string) => signedBomb(subject, 5_000),
]
let next = 0

/** Mails the next bomb to one of the companies, from a mail server of its own. */
export async function sendBombs({ smtpPort, addresses, index }: Attack): Promise<void> {
  const number = next++
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    localAddress: `127.0.1.${index + 1}`,
    ignoreTLS: true,
    socketTimeout: 60_000,
  })
  const envelope = { from: `bomber${number}@example.org`, to: addresses[number % addresses.length]! }
  const raw = BOMBS[number % BOMBS.length]!(`Bomb ${number}`)
  await transport.sendMail({ envelope, raw }).finally(() => transport.close())
}
