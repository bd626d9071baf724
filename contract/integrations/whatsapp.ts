import * as z from 'zod/mini'
import { Message, SendAnyway } from '../conversations/messages.ts'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, Id, ifAny, maybe, NewId, Ok, Text, Timestamp } from '../wire.ts'

/** A connected WhatsApp number, with its secrets masked. */
export const WhatsappAuthorization = z.object({
  id: z.string(),
  created_at: Timestamp,
  inbox_id: z.string(),
  phone_number: z.string().check(z.describe('As Meta shows it.')),
  verified_name: z.nullable(z.string()).check(z.describe('The name that customers see.')),
  quality: z.nullable(z.string()).check(z.describe('Meta’s rating of the number: GREEN, YELLOW or RED.')),
  phone_number_id: z.string().check(z.describe('Meta’s id of the number.')),
  business_account_id: z.string().check(z.describe('Meta’s id of the WhatsApp Business account.')),
  app_secret: z.string().check(z.describe('A mask. Sending it back keeps the secret.')),
  access_token: z.string().check(z.describe('A mask. Sending it back keeps the token.')),
})
export type WhatsappAuthorization = z.output<typeof WhatsappAuthorization>

const MetaId = Text(30).check(z.trim(), z.regex(/^\d{5,30}$/, 'must consist of digits'))
const EXAMPLE = '106540352242922'

const WhatsappDraft = z.object({
  phone_number_id: MetaId.check(
    z.meta({ examples: [EXAMPLE], description: 'From WhatsApp → API Setup of the app at Meta.' }),
  ),
  business_account_id: MetaId.check(
    z.meta({ examples: [EXAMPLE], description: 'The WhatsApp Business account, shown beside it.' }),
  ),
  app_secret: Text(200).check(z.trim()).check(z.describe('From App settings → Basic. Send the mask back to keep it.')),
  access_token: Text(1000)
    .check(z.trim())
    .check(z.describe('Of a system user, without expiry. Send the mask back to keep it.')),
  inbox_id: maybe(Id).check(z.describe('The primary inbox by default.')),
})
export type WhatsappDraft = z.output<typeof WhatsappDraft>

/** A variable of a template, and where it stands. */
export const TemplateVariable = z.object({
  key: z
    .string()
    .check(
      z.describe(
        '`header.1`, `body.name`, `url.0` (the end of the first button’s address) or `code.1` (what the second button copies): what to send its value as.',
      ),
    ),
  example: z.nullable(z.string()).check(z.describe('The example that was approved with it.')),
})
export type TemplateVariable = z.output<typeof TemplateVariable>

/** A button of a template. */
export const TemplateButton = z.object({
  text: z.string().check(z.describe('What stands on it.')),
  url: z.nullable(z.string()).check(z.describe('What it opens; may end with a variable. Null if it opens nothing.')),
})
export type TemplateButton = z.output<typeof TemplateButton>

/** An approved template, which may be sent at any time. */
export const WhatsappTemplate = z.object({
  name: z.string(),
  language: z.string().check(z.describe('Such as `en_US`.')),
  category: z.string().check(z.describe('`MARKETING`, `UTILITY` or `AUTHENTICATION`; Meta charges by it.')),
  header: z.nullable(z.string()).check(z.describe('With variables in double braces; null without one.')),
  header_media: z
    .nullable(z.enum(['image', 'video', 'document']))
    .check(z.describe('The kind of file that is sent as its heading; null without one.')),
  body: z.string().check(z.describe('With variables in double braces, such as `{{1}}` or `{{name}}`.')),
  footer: z.nullable(z.string()).check(z.describe('The line below the text; null without one.')),
  buttons: z.array(TemplateButton).check(z.describe('Below the text.')),
  variables: z.array(TemplateVariable),
})
export type WhatsappTemplate = z.output<typeof WhatsappTemplate>

const Values = z.record(Text(200), FilledText(1000))

/** The text of a template with its variables filled in; one without a value stays as it is. Buttons are lines below it. */
export function renderTemplate(
  { header, body, footer, buttons }: Pick<WhatsappTemplate, 'header' | 'body' | 'footer' | 'buttons'>,
  values: Record<string, string>,
): string {
  const fill = (text: string, keyOf: (name: string) => string) =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (variable, name: string) => values[keyOf(name)] || variable)
  const lines = buttons.map(({ text, url }, index) => {
    const opened = url ? fill(url, () => `url.${index}`) : values[`code.${index}`]
    return opened ? `${text}: ${opened.replace(/^tel:/, '')}` : text
  })
  return [
    header && fill(header, (name) => `header.${name}`),
    fill(body, (name) => `body.${name}`),
    footer,
    lines.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Calls about WhatsApp, over Meta’s Cloud API. */
export const whatsapp = {
  connect: endpoint('admin', 'POST', '/api/whatsapp/auth', {
    summary:
      'Connects a WhatsApp number after checking it at Meta, and lets Meta call this server, which needs a public https address.',
    body: z.object({ authorization: WhatsappDraft }),
    answer: data(WhatsappAuthorization),
    limit: 'message',
    session_only: true,
    refusals: [404, 409],
  }),
  get: endpoint('user', 'GET', '/api/whatsapp/authorization', {
    summary: 'Returns the WhatsApp number of an inbox, by default the primary one, or null.',
    query: z.object({ inbox_id: z.optional(Id) }),
    answer: data(
      z.object({
        authorization: z.nullable(WhatsappAuthorization),
        webhook_url: z
          .nullable(z.string())
          .check(
            z.describe(
              'The address that Meta calls. Null without a public https address: then it cannot be connected.',
            ),
          ),
      }),
    ),
  }),
  templates: endpoint('user', 'GET', '/api/conversations/:conversation_id/whatsapp_templates', {
    summary: 'Lists the approved templates of the number over which a conversation is answered.',
    query: z.object({
      refresh: z
        .optional(z.enum(['true', 'false']))
        .check(z.describe('`true` asks Meta; otherwise the list may be ten minutes old.')),
    }),
    answer: data(z.array(WhatsappTemplate)),
    limit: 'message',
  }),
  sendTemplate: endpoint('user', 'POST', '/api/conversations/:conversation_id/whatsapp_templates', {
    summary: 'Sends an approved template in a conversation, at any time. Its text becomes the message.',
    body: z.object({
      id: ifAny(NewId).check(z.describe('Chosen by the sender; sending the same id again returns the stored message.')),
      name: FilledText(600).check(z.describe('The name of the template.')),
      language: FilledText(30).check(z.describe('Such as `en_US`.')),
      variables: ifAny(Values).check(z.describe('Values by the keys of the template’s variables.')),
      file_id: ifAny(Id).check(z.describe('The uploaded file that is sent as its heading, if it has one.')),
      send_anyway: SendAnyway,
    }),
    answer: data(Message),
    status: 201,
    limit: 'message',
  }),
  verify: endpoint('anyone', 'GET', '/api/whatsapp/webhook', {
    summary: 'Answers Meta’s check of the address with the text that it sends along.',
    query: z.object({
      account: z.optional(Id).check(z.describe('The account that connects a number.')),
      'hub.mode': z.optional(Text(20)).check(z.describe('`subscribe`.')),
      'hub.verify_token': z.optional(Text(200)).check(z.describe('What was sent to Meta when connecting.')),
      'hub.challenge': z.optional(Text(1000)).check(z.describe('The text to answer with.')),
    }),
    answer: z.string(),
    media_type: 'text/plain',
    refusals: [403],
  }),
  webhook: endpoint('signed', 'POST', '/api/whatsapp/webhook', {
    summary: 'Receives messages and their states from Meta, which are stored before the response.',
    signature: 'whatsapp',
    query: z.object({ account: z.optional(Text(40)).check(z.describe('The account whose app signs the call.')) }),
    body: z.looseObject({}),
    answer: Ok,
    body_limit: 4_000_000,
    limit: 'none',
  }),
}
