import type { MailAddress, ParsedMail } from './parse.ts'

/** Whether the domain after From vouches for the mail: by our own check or by a mail server that we may believe. */
export type Proof = 'pass' | 'fail' | 'none'

/**
 * What the mailbox's own server found out about who sent a mail. Only the topmost line counts, and only from a server
 * that is known to write one on every mail: any other may have been brought along by the sender.
 */
export function readAuthenticationResults(mail: ParsedMail, mail_host: string | undefined): Proof {
  const servers = SERVERS.find(([host]) => isWithin(mail_host ?? '', host))?.[1] ?? []
  const [results = ''] = mail.headers.get('authentication-results') ?? []
  const [server = '', ...found] = results.split(';').map((part) => part.trim().toLowerCase())
  const name = server.split(/\s/, 1)[0] ?? ''
  if (!servers.some((known) => isWithin(name, known))) return 'none'
  const domain = domainOf(mail.from?.address ?? '')
  const dmarc = found.find((part) => part.startsWith('dmarc='))
  if (dmarc?.startsWith('dmarc=fail')) return 'fail'
  const isAbout = (part: string, property: RegExp) =>
    isAligned(property.exec(part)?.[1]?.replace(/^.*@/, '') ?? '', domain)
  if (dmarc?.startsWith('dmarc=pass') && isAbout(dmarc, /header\.from=([^\s;]+)/)) return 'pass'
  const isSigned = found.some((part) => part.startsWith('dkim=pass') && isAbout(part, /header\.[di]=([^\s;]+)/))
  return isSigned ? 'pass' : 'none'
}

/** Whose mailboxes have a line of results on every mail, and how their servers call themselves there. */
const SERVERS: [host: string, names: string[]][] = [
  ['gmail.com', ['google.com']],
  ['googlemail.com', ['google.com']],
  ['outlook.com', ['protection.outlook.com', 'outlook.com']],
  ['office365.com', ['protection.outlook.com', 'outlook.com']],
  ['yahoo.com', ['yahoo.com', 'yahoodns.net']],
  ['mail.me.com', ['icloud.com', 'apple.com', 'mail.me.com']],
  ['fastmail.com', ['messagingengine.com', 'fastmail.com']],
  ['zoho.com', ['zoho.com']],
  ['zoho.eu', ['zoho.eu', 'zoho.com']],
  ['gmx.net', ['gmx.net']],
  ['gmx.com', ['gmx.net', 'gmx.com']],
  ['web.de', ['web.de']],
  ['migadu.com', ['migadu.com']],
  ['mailbox.org', ['mailbox.org']],
  ['yandex.com', ['yandex.ru', 'yandex.net', 'yandex.com']],
]

/**
 * Where an answer goes: to Reply-To where whoever wrote From stands behind it, by the same domain or by proof; else a
 * stranger could have our answers, with what they quote, sent to themselves.
 */
export function answerAddress(mail: ParsedMail, proof: Proof): MailAddress | null {
  const [wanted] = mail.reply_to
  if (!mail.from) return null
  if (!wanted) return mail.from
  const isSameHouse = isAligned(domainOf(wanted.address), domainOf(mail.from.address))
  return isSameHouse || proof === 'pass' ? wanted : mail.from
}

/** The domain of an address, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/** The same domain, or one within the other. */
function isAligned(one: string, other: string): boolean {
  return one !== '' && other !== '' && (isWithin(one, other) || (isWithin(other, one) && one.includes('.')))
}

function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`)
}
