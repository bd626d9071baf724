import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MailUnreadable } from '#server/features/mail/conversation-mails/parse.ts'
import { type MailReading, readMail } from '#server/features/mail/conversation-mails/read-mail.ts'

const SHOWN = 200

/** `npm run mail:read FOLDER` prints for each `.eml` in a folder what Parley would do with it. Needs no database. */
async function main([folder]: string[]) {
  if (!folder) throw new Error('Pass the folder: npm run mail:read -- path/to/mails')
  const own = (process.env.MAIL_ADDRESSES ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const arrival = {
    secretKey: process.env.SECRET_KEY ?? '',
    own_addresses: new Set(own),
    recipients: [],
    mail_host: process.env.MAIL_HOST,
  }
  const counts = new Map<string, number>()
  for (const file of globSync('**/*.eml', { cwd: folder }).sort()) {
    const reading = await readMail(readFileSync(join(folder, file)), arrival).catch((error: unknown) => {
      if (error instanceof MailUnreadable) return error
      throw error
    })
    const kind = reading instanceof MailUnreadable ? 'refused' : reading.verdict.kind
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    console.log(
      `${file}\n  ${(reading instanceof MailUnreadable ? [reading.message] : describe(reading)).join('\n  ')}\n`,
    )
  }
  console.log(
    [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'This folder contains no .eml files.',
  )
}

function describe({ mail, verdict, signs, content: mailText, sender, answer_to }: MailReading): string[] {
  const why = verdict.kind === 'bounce' ? verdict.report.reason : 'reason' in verdict ? verdict.reason : ''
  const { signed, answers, unsigned } = signs
  const thread = signed ? `conversation ${signed}, signed` : (answers[0] ?? unsigned ?? 'a new conversation')
  return [
    `verdict      ${[verdict.kind, why].filter(Boolean).join(': ')}`,
    `from         ${sender.address?.address ?? 'nobody'} (${sender.result === 'none' ? 'not proven' : `DMARC ${sender.result}`})`,
    `answer to    ${answer_to?.address ?? 'nobody'}`,
    `subject      ${mail.subject}`,
    `belongs to   ${thread}`,
    `text         ${JSON.stringify(mailText.body.slice(0, SHOWN))}${mailText.body.length > SHOWN ? ` … ${mailText.body.length} characters` : ''}`,
    ...(mailText.html ? ['shown as     HTML'] : []),
    ...mail.files.map(({ filename, type, bytes }) => `file         ${filename}, ${type}, ${bytes.length} bytes`),
  ]
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
