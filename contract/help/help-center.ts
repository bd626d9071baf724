import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { BooleanInput, FilledText, Host, Id, maybe, Name, Text, Timestamp } from '../wire.ts'

/** Languages of one help center. */
export const MAX_LANGUAGES = 30

/** A language that articles are written in, as a BCP 47 tag: `en`, `pt-BR`, `zh-Hant`. */
export const ArticleLanguage = Text(35).check(
  z.regex(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/, 'is invalid'),
  z.overwrite((tag) => canonicalTag(tag)),
  z.meta({ examples: ['en'] }),
)

function canonicalTag(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag
  } catch {
    // Refused by the pattern.
    return tag
  }
}

/** The last part of a public address: lower-case letters of any script, digits and hyphens. */
export const Slug = FilledText(100).check(
  z.toLowerCase(),
  z.regex(/^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u, 'may only contain letters, digits and hyphens'),
)

const WebAddress = Text(500).check(z.trim(), z.regex(/^https?:\/\/[^\s]+$/i, 'has to begin with https://'))

const name = z.describe('Shown at the top of each page and in search engines.')
const slug = z.describe('Its part of the public address: `/help/<slug>`. Unique on this installation.')
const is_published = z.describe('Whether anybody can read it. Otherwise its addresses are not found.')
const is_indexed = z.describe('Whether search engines may list it.')
const default_language = z.describe('Shown where a translation is missing. One of `languages`.')
const languages = z.describe('The languages offered to readers, as BCP 47 tags.')
const color = z.describe('Hex code of the accent colour, such as `#2f6f4f`.')
const domain = z.describe('Own host name, such as `help.example.com`; null for the address with the slug.')
const domain_verified_at = z.describe(
  'Since when the domain is known to belong to the account; null until then. The help center answers there only afterwards.',
)
const logo_file_id = z.describe('Id of the uploaded picture that is the logo.')
const contact_email = z.describe('E-mail address offered at the end of articles.')
const contact_url = z.describe('A page for contacting the company, offered instead of the address.')
const legal_links = z.describe('Links in the footer, such as imprint and privacy.')

/** The help center of an account: its name, languages, looks and addresses. */
export const HelpCenter = z.object({
  object: z.literal('help_center'),
  account_id: z.string(),
  name: z.string().check(name),
  slug: z.string().check(slug),
  is_published: z.boolean().check(is_published),
  is_indexed: z.boolean().check(is_indexed),
  default_language: z.string().check(default_language),
  languages: z.array(z.string()).check(languages),
  color: z.string().check(color),
  domain: z.nullable(z.string()).check(domain),
  domain_verified_at: z.nullable(Timestamp).check(domain_verified_at),
  domain_record: z
    .nullable(
      z.object({
        name: z.string().check(z.describe('The name of the record.')),
        value: z.string().check(z.describe('Its text.')),
      }),
    )
    .check(z.describe('The TXT record that proves it; null without a domain.')),
  logo_file_id: z.nullable(z.string()).check(logo_file_id),
  logo_url: z.nullable(z.string()).check(z.describe('Where browsers load the logo.')),
  contact_email: z.nullable(z.string()).check(contact_email),
  contact_url: z.nullable(z.string()).check(contact_url),
  legal_links: z
    .array(
      z.object({ label: z.string().check(z.describe('Its text.')), url: z.string().check(z.describe('Its target.')) }),
    )
    .check(legal_links),
  url: z.string().check(z.describe('The public address of the first page, without a language.')),
  updated_at: Timestamp,
})
export type HelpCenter = z.output<typeof HelpCenter>

/** Fields of the help center that can be changed; those left out stay. */
export const HelpCenterChanges = z.partial(
  z.object({
    name: Name(100).check(z.trim(), z.minLength(1, "can't be blank"), name),
    slug: Slug.check(slug),
    is_published: BooleanInput.check(is_published),
    is_indexed: BooleanInput.check(is_indexed),
    default_language: ArticleLanguage.check(default_language),
    languages: z.array(ArticleLanguage).check(z.minLength(1), z.maxLength(MAX_LANGUAGES), languages),
    color: Text(7).check(z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, 'is invalid'), color),
    domain: z.nullable(Host.check(z.meta({ examples: ['help.example.com'] }))).check(domain),
    logo_file_id: z.nullable(Id).check(logo_file_id),
    contact_email: maybe(Text(255).check(z.trim(), z.regex(/^[^\s@<>"]+@[^\s@<>"]+$/, 'is invalid'))).check(
      contact_email,
    ),
    contact_url: maybe(WebAddress).check(contact_url),
    legal_links: z
      .array(
        z.object({
          label: FilledText(60).check(z.describe('Its text.')),
          url: WebAddress.check(z.describe('Its target.')),
        }),
      )
      .check(z.maxLength(10), legal_links),
  }),
)
export type HelpCenterChanges = z.output<typeof HelpCenterChanges>

/** The settings of the help center changed. */
export const helpCenterUpdated = defineEvent('help_center:updated', {
  receivers: 'team',
  payload: { help_center: HelpCenter },
})

/** Calls about the help center itself. */
export const helpCenter = {
  get: endpoint('user', 'GET', '/api/help_center', {
    summary: 'Returns the help center of the account. Until somebody publishes it, nobody else can read it.',
    answer: data(HelpCenter),
  }),
  update: endpoint('admin', 'PUT', '/api/help_center', {
    summary: 'Updates name, languages, looks and addresses of the help center.',
    body: z.object({ help_center: HelpCenterChanges }),
    answer: data(HelpCenter),
  }),
  checkDomain: endpoint('admin', 'POST', '/api/help_center/domain_check', {
    summary:
      'Looks for the TXT record that proves the own domain. Refused with what is missing, or answered as verified.',
    answer: data(HelpCenter),
  }),
}
