import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, Id, Text, Timestamp } from '../wire.ts'

/** The mails to customers that a company can customise. */
export const TEMPLATE_KINDS = ['reply', 'answer', 'transcript'] as const
/** One of these mails. */
export const TemplateKind = z.enum(TEMPLATE_KINDS)
export type TemplateKind = z.output<typeof TemplateKind>

/** Maximum length of a template, in characters. */
export const TEMPLATE_LIMIT = 50_000
/** Colour of buttons and links, unless a company chooses its own. */
export const DEFAULT_TEMPLATE_COLOR = 'rgb(155,48,247)'

/** Variables of each template, with the snippet that inserts them. */
export const TEMPLATE_VARIABLES: Record<TemplateKind, { name: string; snippet: string }[]> = {
  reply: [
    { name: 'company.name', snippet: '{{ company.name }}' },
    { name: 'customer.name', snippet: '{{ customer.name }}' },
    { name: 'customer.email', snippet: '{{ customer.email }}' },
    { name: 'agent.name', snippet: '{{ agent.name }}' },
    {
      name: 'messages',
      snippet:
        '{% for message in messages %}\n<p>{{ message.author }}: {{ message.text | text_to_html }}</p>\n{% endfor %}',
    },
    { name: 'page_url', snippet: '{% if page_url %}<a href="{{ page_url }}">{{ texts.visit }}</a>{% endif %}' },
    { name: 'unsubscribe_url', snippet: '<a href="{{ unsubscribe_url }}">{{ texts.unsubscribe }}</a>' },
    { name: 'color', snippet: '{{ color }}' },
    { name: 'language', snippet: '{% if language == "en" %}…{% else %}…{% endif %}' },
    { name: 'texts', snippet: '{{ texts.intro }}' },
  ],
  answer: [
    { name: 'message.text', snippet: '{{ message.text | text_to_html }}' },
    { name: 'signature', snippet: '{% if signature != "" %}<p>{{ signature | text_to_html }}</p>{% endif %}' },
    { name: 'company.name', snippet: '{{ company.name }}' },
    { name: 'customer.name', snippet: '{{ customer.name }}' },
    { name: 'customer.email', snippet: '{{ customer.email }}' },
    { name: 'agent.name', snippet: '{{ agent.name }}' },
    { name: 'subject', snippet: '{{ subject }}' },
    { name: 'color', snippet: '{{ color }}' },
    { name: 'language', snippet: '{% if language == "en" %}…{% else %}…{% endif %}' },
  ],
  transcript: [
    { name: 'note', snippet: '{% if note != "" %}<p>{{ note | text_to_html }}</p>{% endif %}' },
    {
      name: 'messages',
      snippet:
        '{% for message in messages %}\n<p>{{ message.author }}, {{ message.sent_at | date: "%Y-%m-%d %H:%M" }}: {{ message.text | text_to_html }}</p>\n{% endfor %}',
    },
    { name: 'subject', snippet: '{{ subject }}' },
    { name: 'company.name', snippet: '{{ company.name }}' },
    { name: 'customer.name', snippet: '{{ customer.name }}' },
    { name: 'customer.email', snippet: '{{ customer.email }}' },
    { name: 'agent.name', snippet: '{{ agent.name }}' },
    { name: 'color', snippet: '{{ color }}' },
    { name: 'language', snippet: '{% if language == "en" %}…{% else %}…{% endif %}' },
    { name: 'texts', snippet: '{{ texts.intro }}' },
  ],
}

const Color = Text(40).check(z.regex(/^(#[0-9a-f]{6}|rgb\(\d{1,3}, ?\d{1,3}, ?\d{1,3}\))$/i, 'is invalid'))

const TemplateDraft = z.object({
  subject: FilledText(500),
  body: FilledText(TEMPLATE_LIMIT),
  color: Color.check(z.describe('Colour of the buttons, such as `#1677ff`.')),
})
export type TemplateDraft = z.output<typeof TemplateDraft>

/** The appearance of a mail to customers: the company's template, or the default. */
export const EmailTemplate = z.extend(
  z.object({
    subject: z.string(),
    body: z.string(),
    color: z.string().check(z.describe('A CSS colour, such as `#1677ff`.')),
  }),
  {
    kind: TemplateKind.check(z.describe('Which mails use it.')),
    is_default: z
      .boolean()
      .check(z.describe('The company has no template: this default is used, and is the one to start from.')),
    version_id: z.nullable(z.string()).check(z.describe('The version in use; null for the default.')),
    failed_at: z
      .nullable(Timestamp)
      .check(z.describe('Since when it fails on real mails, for which the default is used.')),
    failure: z.nullable(z.string()).check(z.describe('The error of that mail.')),
  },
)
export type EmailTemplate = z.output<typeof EmailTemplate>

/** An earlier version of a template, for going back to it. */
export const EmailTemplateVersion = z.object({
  id: z.string(),
  subject: z.string(),
  user_id: z.nullable(z.int32()),
  created_at: Timestamp,
  is_current: z.boolean().check(z.describe('Whether it is the one in use.')),
})
export type EmailTemplateVersion = z.output<typeof EmailTemplateVersion>

/** An error in a template, and its position. */
export const TemplateProblem = z.object({
  field: z.enum(['subject', 'body']).check(z.describe('Where it is.')),
  line: z.int32().check(z.describe('From 1.')),
  message: z.string(),
})
export type TemplateProblem = z.output<typeof TemplateProblem>

const Preview = z.object({
  subject: z.string(),
  html: z.string().check(z.describe('A whole HTML page, without active content.')),
  text: z.string().check(z.describe('What is wrong, as a sentence.')),
  problems: z.array(TemplateProblem).check(z.describe('What to correct before the template can be used.')),
})
export type TemplatePreview = z.output<typeof Preview>

const ByKind = z.object({ kind: TemplateKind })

/** Calls about the mails that customers get. */
export const emailTemplates = {
  list: endpoint('admin', 'GET', '/api/email_templates', {
    summary: 'Lists the templates of mails to customers.',
    answer: data(z.array(EmailTemplate)),
  }),
  save: endpoint('admin', 'PUT', '/api/email_templates/:kind', {
    summary: 'Creates and uses a new version of a template. One that cannot be rendered is refused.',
    params: ByKind,
    body: z.object({ template: TemplateDraft }),
    answer: data(EmailTemplate),
  }),
  reset: endpoint('admin', 'DELETE', '/api/email_templates/:kind', {
    summary: 'Restores the default template. The versions are kept.',
    params: ByKind,
    answer: z.null(),
    status: 204,
  }),
  preview: endpoint('admin', 'POST', '/api/email_templates/:kind/preview', {
    summary: 'Renders a template with sample data, and reports its errors.',
    params: ByKind,
    body: z.object({ template: TemplateDraft }),
    answer: data(Preview),
  }),
  test: endpoint('admin', 'POST', '/api/email_templates/:kind/test', {
    summary: 'Sends a template with sample data to the caller.',
    params: ByKind,
    body: z.object({ template: TemplateDraft }),
    answer: data(z.object({ recipient: z.string().check(z.describe('Address that the test mail was sent to.')) })),
    limit: 'message',
  }),
  versions: endpoint('admin', 'GET', '/api/email_templates/:kind/versions', {
    summary: 'Lists the newest 50 versions of a template.',
    params: ByKind,
    answer: data(z.array(EmailTemplateVersion)),
  }),
  restore: endpoint('admin', 'POST', '/api/email_templates/:kind/versions/:version_id/restore', {
    summary: 'Restores an earlier version of a template.',
    params: z.object({
      kind: TemplateKind.check(z.describe('Which mails use it.')),
      version_id: Id.check(z.describe('One of the versions of this template.')),
    }),
    answer: data(EmailTemplate),
  }),
}
