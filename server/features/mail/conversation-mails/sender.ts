import type { MailAddress, ParsedMail } from './parse.ts'

export type ProofResult = 'pass' | 'fail' | 'none'

/** A verdict about the sender of a mail, by our own check or by a trusted mail server. */
export interface Proof {
  result: ProofResult
  /** The domain it was given for; null if the server that gave it does not say. */
  domain: string | null
}

export const UNPROVEN: Proof = { result: 'none', domain: null }

/**
 * What a verdict says about the address in From: it counts for no other domain than the one it was given for. One that
 * names none counts only if there was no choice, because its server may have read the header differently.
 */
export function resultFor(proof: Proof, { from, from_domain }: Pick<ParsedMail, 'from' | 'from_domain'>): ProofResult {
  const domain = proof.domain ?? from_domain
  return from && domain?.toLowerCase() === domainOf(from.address) ? proof.result : 'none'
}

/**
 * The mailbox server's own authentication results. Only the topmost header counts, and only from a server known to add
 * one to every mail: the sender may have added any other.
 */
export function readAuthenticationResults(mail: ParsedMail, mail_host: string | undefined): Proof {
  const servers = SERVERS.find(([host]) => isWithin(mail_host ?? '', host))?.[1] ?? []
  const [results = ''] = mail.headers.get('authentication-results') ?? []
  const [server = '', ...parts] = results.split(';').map((part) => part.trim().toLowerCase())
  const name = server.split(/\s/, 1)[0] ?? ''
  if (!servers.some((trusted) => isWithin(name, trusted))) return UNPROVEN
  const dmarc = parts.find((part) => part.startsWith('dmarc='))
  const domain = /\bheader\.from=([^\s;]+)/.exec(dmarc ?? '')?.[1]?.replace(/^.*@/, '')
  if (dmarc?.startsWith('dmarc=fail')) return { result: 'fail', domain: domain ?? null }
  if (dmarc?.startsWith('dmarc=pass') && domain) return { result: 'pass', domain }
  return findSignature(parts, domainOf(mail.from?.address ?? ''))
}

/** A signature proves its own domain and those below it, which belong to it; never the domain above. */
function findSignature(parts: string[], domain: string): Proof {
  const signers = parts.flatMap((part) =>
    part.startsWith('dkim=pass') ? (/\bheader\.[di]=([^\s;]+)/.exec(part)?.[1]?.replace(/^.*@/, '') ?? []) : [],
  )
  const isSigned = signers.some((signer) => signer.includes('.') && isWithin(domain, signer))
  return isSigned ? { result: 'pass', domain } : UNPROVEN
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

/** Who wrote a mail, and what proves it. */
export interface MailSender {
  address: MailAddress | null
  result: ProofResult
  /** A contact form or a group wrote in their name: the mail belongs to nothing that came before. */
  isOfForm: boolean
}

const NOBODY =
  /^(?:(?:do[-._]?not[-._]?|no[-._]?|never[-._]?)(?:reply|respond|answer)|mailer-daemon|postmaster|bounces?)(?:$|[-+._])/i

/** Whether nobody reads mails to an address, by its name. */
export function isNobody(address: string): boolean {
  return NOBODY.test(address.slice(0, address.lastIndexOf('@')))
}

/**
 * Who wrote a mail: the address in From. A form that sends from our own address, or from one that nobody reads, names
 * its author in Reply-To, and a group that forwards in its own name in X-Original-Sender. Where only forms write
 * (`takes_forms`), every Reply-To is an author.
 */
export function findSender(
  mail: ParsedMail,
  proof: Proof,
  { own_addresses, takes_forms }: { own_addresses: ReadonlySet<string>; takes_forms?: boolean | undefined },
): MailSender {
  const result = resultFor(proof, mail)
  const { from } = mail
  const isOwn = !!from && own_addresses.has(from.address)
  const isForm = !!takes_forms && mail.reply_to.some(({ address }) => address !== from?.address)
  if (!from || !(isOwn || isForm || isNobody(from.address))) return { address: from, result, isOfForm: false }
  const named = [...mail.reply_to, ...(isOwn ? originalsOf(mail) : [])]
  const author = named.find(({ address }) => !own_addresses.has(address) && !isNobody(address))
  return author ? { address: author, result: 'none', isOfForm: true } : { address: from, result, isOfForm: false }
}

function originalsOf({ headers }: ParsedMail): MailAddress[] {
  const values = ['x-original-sender', 'x-original-from'].flatMap((name) => headers.get(name) ?? [])
  return values.flatMap((value) => {
    const address = /([^\s<>]+@[^\s<>]+)>?\s*$/.exec(value)?.[1]?.toLowerCase()
    return address ? [{ address, name: null }] : []
  })
}

/**
 * The address for replies: Reply-To only if the address in From is proven. Otherwise a stranger could have our replies
 * sent to themselves, with what they quote, even within one domain: thousands of people share that of a mail provider.
 */
export function answerAddress(mail: ParsedMail, { address, result, isOfForm }: MailSender): MailAddress | null {
  const [wanted] = mail.reply_to
  return wanted && result === 'pass' && !isOfForm ? wanted : address
}

/** The domain of an address, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`)
}
