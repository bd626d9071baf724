import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { MailUnreadable } from '#server/features/mail/conversation-mails/parse.ts'
import { type MailReading, readMail } from '#server/features/mail/conversation-mails/read-mail.ts'

const SLOW_MS = 300
const LISTED = 25
const SIZE_LIMIT = 100_000_000
const ARRIVAL = { secretKey: '', own_addresses: new Set<string>(), recipients: [] }

/** What was noticed, by kind, with the names of the mails. */
const lists = new Map<string, string[]>()
const verdicts = new Map<string, number>()

/**
 * `npm run mail:corpora FOLDER` reads all mails in a folder and its folders, whatever their names, mailbox files
 * included, and prints totals and what looks wrong. `MAIL_ADDRESSES` are the company's own. Needs no database.
 */
async function main([folder]: string[]) {
  if (!folder) throw new Error('Pass the folder: npm run mail:corpora -- path/to/mails')
  const own = (process.env.MAIL_ADDRESSES ?? '').toLowerCase().split(/[\s,]+/)
  for (const address of own.filter(Boolean)) ARRIVAL.own_addresses.add(address)
  let count = 0
  for (const file of listFiles(folder).sort()) {
    for (const [at, raw] of splitMailbox(readFileSync(file)).entries()) {
      await readOne(`${relative(folder, file)}${at > 0 ? `, mail ${at + 1}` : ''}`, raw)
      count++
    }
  }
  console.log(`${count} mails: ${[...verdicts].map(([kind, number]) => `${number} ${kind}`).join(', ')}`)
  for (const [kind, names] of lists) {
    console.log(`\n${names.length} ${kind}`)
    for (const name of names.slice(0, LISTED)) console.log(`  ${name}`)
    if (names.length > LISTED) console.log(`  and ${names.length - LISTED} more`)
  }
}

async function readOne(name: string, raw: Buffer): Promise<void> {
  const start = performance.now()
  const reading = await readMail(raw, ARRIVAL).catch((error: Error) => error)
  const ms = performance.now() - start
  if (ms > SLOW_MS) note('slow', `${name} (${Math.round(ms)} ms, ${raw.length} bytes)`)
  if (reading instanceof MailUnreadable) note('refused', `${name}: ${reading.message}`)
  else if (reading instanceof Error) note('thrown', `${name}: ${reading.stack}`)
  const kind =
    reading instanceof MailUnreadable ? 'refused' : reading instanceof Error ? 'thrown' : reading.verdict.kind
  verdicts.set(kind, (verdicts.get(kind) ?? 0) + 1)
  if (!(reading instanceof Error)) inspect(name, raw, reading)
}

function inspect(name: string, raw: Buffer, { mail, content: mailText, verdict, sender }: MailReading): void {
  const { subject, from, files } = mail
  if (verdict.kind !== 'person') note(verdict.kind, `${name}: ${describe(verdict)}`)
  if (!sender.address && verdict.kind !== 'bounce') note('without sender', name)
  if (!mailText.body && files.length === 0) note('without text and files', name)
  const replaced = [mailText.body, subject, from?.name ?? ''].some((text) => text.includes('\ufffd'))
  // Of mails that are about the character itself, nothing is wrong.
  if (replaced && !raw.includes('\ufffd')) note('with U+FFFD', name)
  if (
    [subject, from?.name ?? '', ...files.map(({ filename }) => filename)].some((text) => /=\?[^?]+\?[bq]\?/i.test(text))
  )
    note('with undecoded names', name)
}

function describe(verdict: MailReading['verdict']): string {
  if (verdict.kind !== 'bounce') return 'reason' in verdict ? verdict.reason : ''
  const { isFinal, recipient, status, reason, message_ids } = verdict.report
  return [
    isFinal ? 'final' : 'late',
    recipient ?? 'no recipient',
    status,
    message_ids.length ? '' : 'no Message-ID',
    reason,
  ]
    .filter(Boolean)
    .join(' | ')
}

function note(kind: string, name: string): void {
  lists.set(kind, [...(lists.get(kind) ?? []), name])
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && statSync(path).size < SIZE_LIMIT)
    .filter((path) => /\.(?:eml|box|mbox|msg|txt|mail|email|mime)$|\/[^/.]+$|\/\d[^/]*$/i.test(path))
}

/** The mails of a mailbox file; of every other file the whole. */
function splitMailbox(bytes: Buffer): Buffer[] {
  if (!bytes.subarray(0, 5).equals(Buffer.from('From '))) return [bytes]
  const starts = [...bytes.toString('latin1').matchAll(/(?:^|\n\r?\n)(?=From .{1,200}\d\d:\d\d.{0,60}\r?\n)/g)]
  const offsets = starts.map(({ index, 0: gap }) => index + gap.length)
  return offsets.map((from, at) => bytes.subarray(from, offsets[at + 1] ?? bytes.length))
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
