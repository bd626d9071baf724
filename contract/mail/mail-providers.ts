import type { MailSecurity } from '../integrations/mailbox.ts'

/** The incoming and outgoing mail servers of a mailbox. */
export interface MailServers {
  imap_host: string
  imap_port: number
  imap_security: MailSecurity
  smtp_host: string
  smtp_port: number
  smtp_security: MailSecurity
}

interface Provider extends Partial<MailServers> {
  domains: string[]
  imap_host: string
  smtp_host: string
  /** A hint for people who connect it. */
  hint?: 'app_password' | 'password_refused' | 'bridge'
}

/** Providers whose servers are not `imap.` and `smtp.` plus the domain, or that need a hint. */
const PROVIDERS: Provider[] = [
  {
    domains: ['gmail.com', 'googlemail.com'],
    imap_host: 'imap.gmail.com',
    smtp_host: 'smtp.gmail.com',
    hint: 'app_password',
  },
  {
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'office365.com', 'onmicrosoft.com'],
    imap_host: 'outlook.office365.com',
    smtp_host: 'smtp.office365.com',
    smtp_port: 587,
    smtp_security: 'starttls',
    hint: 'password_refused',
  },
  {
    domains: ['icloud.com', 'me.com', 'mac.com'],
    imap_host: 'imap.mail.me.com',
    smtp_host: 'smtp.mail.me.com',
    smtp_port: 587,
    smtp_security: 'starttls',
    hint: 'app_password',
  },
  {
    domains: ['yahoo.com', 'ymail.com', 'yahoo.co.uk', 'yahoo.fr', 'yahoo.de'],
    imap_host: 'imap.mail.yahoo.com',
    smtp_host: 'smtp.mail.yahoo.com',
    hint: 'app_password',
  },
  { domains: ['aol.com'], imap_host: 'imap.aol.com', smtp_host: 'smtp.aol.com', hint: 'app_password' },
  {
    domains: ['fastmail.com', 'fastmail.fm'],
    imap_host: 'imap.fastmail.com',
    smtp_host: 'smtp.fastmail.com',
    hint: 'app_password',
  },
  {
    domains: ['zoho.com', 'zohomail.com'],
    imap_host: 'imap.zoho.com',
    smtp_host: 'smtp.zoho.com',
    hint: 'app_password',
  },
  { domains: ['zoho.eu'], imap_host: 'imap.zoho.eu', smtp_host: 'smtp.zoho.eu', hint: 'app_password' },
  {
    domains: ['yandex.com', 'yandex.ru'],
    imap_host: 'imap.yandex.com',
    smtp_host: 'smtp.yandex.com',
    hint: 'app_password',
  },
  { domains: ['mail.ru'], imap_host: 'imap.mail.ru', smtp_host: 'smtp.mail.ru', hint: 'app_password' },
  { domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'], imap_host: 'imap.gmx.net', smtp_host: 'mail.gmx.net' },
  { domains: ['gmx.com'], imap_host: 'imap.gmx.com', smtp_host: 'mail.gmx.com' },
  { domains: ['web.de'], imap_host: 'imap.web.de', smtp_host: 'smtp.web.de' },
  { domains: ['t-online.de'], imap_host: 'secureimap.t-online.de', smtp_host: 'securesmtp.t-online.de' },
  { domains: ['ionos.com', 'ionos.de', '1und1.de'], imap_host: 'imap.ionos.com', smtp_host: 'smtp.ionos.com' },
  { domains: ['mailbox.org'], imap_host: 'imap.mailbox.org', smtp_host: 'smtp.mailbox.org' },
  { domains: ['posteo.de', 'posteo.net'], imap_host: 'posteo.de', smtp_host: 'posteo.de' },
  { domains: ['ovh.net', 'ovh.com'], imap_host: 'ssl0.ovh.net', smtp_host: 'ssl0.ovh.net' },
  { domains: ['gandi.net'], imap_host: 'mail.gandi.net', smtp_host: 'mail.gandi.net' },
  {
    domains: ['proton.me', 'protonmail.com', 'pm.me'],
    imap_host: '127.0.0.1',
    imap_port: 1143,
    imap_security: 'starttls',
    smtp_host: '127.0.0.1',
    smtp_port: 1025,
    smtp_security: 'starttls',
    hint: 'bridge',
  },
]

/** The probable mail servers of an address, with the hint for its provider. */
export function suggestServers(address: string): MailServers & { hint: Provider['hint'] } {
  const domain = address.trim().toLowerCase().split('@').at(-1) ?? ''
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain))
  return {
    imap_host: provider?.imap_host ?? `imap.${domain}`,
    imap_port: provider?.imap_port ?? 993,
    imap_security: provider?.imap_security ?? 'tls',
    smtp_host: provider?.smtp_host ?? `smtp.${domain}`,
    smtp_port: provider?.smtp_port ?? 465,
    smtp_security: provider?.smtp_security ?? 'tls',
    hint: provider?.hint,
  }
}
