import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type MailReading, readMail } from './read-mail.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')
const ARRIVAL = {
  secretKey: 'the key of the corpus of mails, at least 32 characters',
  own_addresses: new Set(['support@acme.test']),
  recipients: [],
  mail_host: 'imap.gmail.com',
}

interface Expected {
  file: string
  verdict: string
  sender: string | null
  /** `new`, `signed` or `old` with a conversation, or `answers` with the id of a mail. */
  conversation: string
  text?: string
  subject?: string
  name?: string
  /** Whether its HTML is shown instead of the text. */
  html?: boolean
  files?: string[]
  proof?: string
  answer_to?: string
  bounce?: { isFinal: boolean; status: string | null; recipient: string | null; reason: string; message_id: string }
}

const expected: Expected[] = readFileSync(join(FOLDER, 'expected.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

test('there is a mail of each shape that real programs write', () => {
  expect(expected.length).toBeGreaterThanOrEqual(60)
})

test.each(expected)('$file is read correctly', async ({ file, ...meant }) => {
  const reading = await readMail(readFileSync(join(FOLDER, file)), ARRIVAL)
  expect(describe(reading, meant)).toEqual(meant)
})

/** The reading, reduced to the fields that the expectations mention. */
function describe(reading: MailReading, meant: object) {
  const { mail, verdict, content, signs, sender, answer_to } = reading
  const all = {
    verdict: verdict.kind,
    sender: sender.address?.address ?? null,
    conversation: conversationOf(signs),
    text: content.body,
    subject: mail.subject,
    name: sender.address?.name,
    html: content.html !== null,
    files: mail.files.map(({ filename }) => filename),
    proof: sender.result,
    answer_to: answer_to?.address,
    bounce: verdict.kind === 'bounce' ? bounceOf(verdict.report) : undefined,
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in meant))
}

/** The only mail of ours in the corpus. */
const OURS = '<7c0e6a52-1d5b-4f0a-8f43-5a9d1f0c2b7e@parley.example>'

function conversationOf({ signed, answers, unsigned }: MailReading['signs']): string {
  if (signed) return `signed ${signed}`
  if (answers.includes(OURS)) return `answers ${OURS}`
  return unsigned ? `old ${unsigned}` : 'new'
}

function bounceOf({ message_ids, ...report }: Extract<MailReading['verdict'], { kind: 'bounce' }>['report']) {
  return { ...report, message_id: message_ids[0] }
}
