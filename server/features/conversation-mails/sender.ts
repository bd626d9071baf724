import type { MailAddress, ParsedMail } from './parse.ts'

/** Whether the domain in From authenticates the mail: by our own check or by a trusted mail server. */
export type Proof = 'pass' | 'fail' | 'none'

/**
 * The mailbox server's own authentication results. Only the topmost header counts, and only from a server known to add
 * one to every mail: the sender may have added any other.
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

/** Mail hosts that add results to every mail, with the names their servers use there. */
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
 * The address for replies: Reply-To only if the author in From stands behind it, by the same domain or by
 * authentication; otherwise a stranger could redirect our replies, with what they quote.
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

/** The same domain, or a subdomain of it. */
function isAligned(one: string, other: string): boolean {
  return one !== '' && other !== '' && (isWithin(one, other) || (isWithin(other, one) && one.includes('.')))
}

function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`)
}
