import { readMail } from '../read-mail.ts'

const ARRIVAL = {
  secretKey: 'the key of the corpus of mails, at least 32 characters',
  own_addresses: new Set(['help@lamps.test']),
  recipients: [],
}
const PERSON = 'From: Ines Roth <ines@home.test>\nTo: help@lamps.test\nSubject: Lamp 12'

/** A mail as bytes, from lines; characters up to U+00FF are bytes. */
export function mail(body: string, headers = '', head = PERSON): Buffer {
  return Buffer.from(`${head}\n${headers}${headers && '\n'}\n${body}`.replace(/\r?\n/g, '\r\n'), 'latin1')
}

/** The bytes of a text, one character for each. */
export function bytesOf(text: string, encoding: BufferEncoding = 'utf8'): string {
  return Buffer.from(text, encoding).toString('latin1')
}

/** The parts of a mail, each with its headers. */
export function parts(kind: string, ...all: string[]): [body: string, headers: string] {
  return [
    `${all.map((part) => `--edge\n${part}\n`).join('')}--edge--\n`,
    `Content-Type: multipart/${kind}; boundary=edge`,
  ]
}

/** What Parley reads in a mail. */
export async function read(raw: Buffer) {
  const { mail, verdict, content, sender, answer_to } = await readMail(raw, ARRIVAL)
  return {
    verdict: verdict.kind,
    sender: sender.address?.address ?? null,
    name: sender.address?.name ?? null,
    answer_to: answer_to?.address ?? null,
    subject: mail.subject,
    text: content.body,
    isHtml: content.html !== null,
    files: mail.files.map(({ filename }) => filename),
    omitted: mail.omitted_files,
    contents: mail.files.map(({ bytes }) => bytes.toString('latin1')),
    report: verdict.kind === 'bounce' ? verdict.report : undefined,
  }
}
