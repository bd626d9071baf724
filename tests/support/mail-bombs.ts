/** More than ten mails of one sender would be held back. */
let senders = 0
/** The header of a mail; each is from another sender. */
export const mailHead = (subject: string, type = 'text/plain; charset=utf-8') =>
  `From: Nora <nora${++senders}@example.org>\r\nSubject: ${subject}\r\nContent-Type: ${type}\r\n`
const html = (subject: string, body: string) => `${mailHead(subject, 'text/html; charset=utf-8')}\r\n${body}\r\n`
export const textMail = (subject: string, body: string) => `${mailHead(subject)}\r\n${body}\r\n`

/** Mails that once kept the whole server busy, each with its subject. */
export const MAIL_BOMBS: Record<string, (subject: string) => string> = {
  '60,000 no-break spaces': (subject) => html(subject, `<p>a${'\u00a0'.repeat(60_000)}x`),
  'a megabyte of nested tables': (subject) => html(subject, `read me ${'<table><tr><td>'.repeat(66_000)}`),
  'a megabyte of nested lists': (subject) => html(subject, `read me ${'<ol><li>'.repeat(120_000)}`),
  'a megabyte of nested divs': (subject) => html(subject, `read me ${'<div><b>'.repeat(120_000)}`),
  '400,000 paragraphs': (subject) => html(subject, `read me ${'<p>'.repeat(400_000)}`),
  'tabs in pre': (subject) => html(subject, `<pre>read me${'\t'.repeat(400_000)}x</pre>`),
  '19,000 empty lines': (subject) => textMail(subject, `read me${'\r\n'.repeat(19_000)}x`),
  '100,000 quoted lines': (subject) => textMail(subject, `read me\r\n${'> x\r\n'.repeat(100_000)}`),
  'flowed text without end': (subject) =>
    `${mailHead(subject, 'text/plain; format=flowed')}\r\nread me ${'a \r\n'.repeat(500_000)}`,
  'two million lines that begin like boundaries': (subject) =>
    `${mailHead(subject, 'multipart/mixed; boundary=b')}\r\n--b\r\n\r\nread me\r\n${'--x\r\n'.repeat(2_000_000)}`,
  'twenty megabytes of text': (subject) => textMail(subject, 'read me and so on\r\n'.repeat(1_100_000)),
}

const SIGNATURE = 'DKIM-Signature: v=1; a=rsa-sha256; d=example.invalid; s=x; h=from; bh=aaaa; b=aaaa\r\n'

/** A mail with this many signatures and a long route. */
export function signedBomb(subject: string, signatures: number): string {
  const route = `Received: ${'1 '.repeat(20_000)}\r\n`
  return `${route}${SIGNATURE.repeat(signatures)}${textMail(subject, 'read me\r\n'.repeat(500_000))}`
}
