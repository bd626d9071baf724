import { DEFAULT_TEMPLATE_COLOR, type TemplateDraft } from '#contract/mail/email-templates.ts'
import { cutText } from '#contract/text/graphemes.ts'
import type { MailContent } from '../mails/mail-templates.ts'
import { translate } from '../mails/translate.ts'
import type { CommonVariables, MessageVariable } from './rendered-mail.ts'

/** Variables of the mail with a forwarded conversation. */
export interface TranscriptVariables extends CommonVariables {
  company: { name: string }
  customer: { name: string; email: string }
  /** The user who forwards it. */
  agent: { name: string }
  /** Their note above it; empty if there is none. */
  note: string
  /** The conversation's subject; empty if it has none. */
  subject: string
  messages: ({ author: string; is_customer: boolean; sent_at: string } & MessageVariable)[]
  texts: Record<'subject' | 'intro', string>
}

/** The default sentences. */
export function transcriptTexts(
  language: string,
  { agent, customer, subject }: { agent: string; customer: string; subject: string | null },
): TranscriptVariables['texts'] {
  return {
    subject: subject ? `Fwd: ${subject}` : translate(language, 'transcript_subject', { customer }),
    intro: translate(language, 'transcript_text', { name: agent, customer }),
  }
}

const PREVIEW = 120

/** The default mail. */
export function transcriptMail({ language, texts, note, messages }: TranscriptVariables): MailContent {
  return {
    language,
    subject: texts.subject,
    preview: cutText(note || texts.intro, PREVIEW),
    parts: [
      ...(note ? [{ type: 'text' as const, text: note }] : []),
      { type: 'text', text: texts.intro },
      ...messages.map(({ author, text, html, sent_at }) => ({
        type: 'quote' as const,
        author,
        time: asTime(sent_at),
        text,
        ...(html !== undefined && { html }),
      })),
    ],
  }
}

/** Readers may be anywhere, so the time includes its zone. */
function asTime(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}

/** The template to start from. */
export const transcriptStart: TemplateDraft = {
  subject: '{{ texts.subject }}',
  color: DEFAULT_TEMPLATE_COLOR,
  body: `<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width: 635px">
  <tr>
    <td style="padding: 28px 32px; font-family: Helvetica, Arial, sans-serif; font-size: 15px; line-height: 1.55">
      {% if note != "" %}
      <p dir="auto">{{ note | text_to_html }}</p>
      {% endif %}
      <p style="font-size: 13px; color: #5c6867">{{ texts.intro }}</p>
      {% for message in messages %}
      <div style="margin: 0 0 16px; padding: 10px 14px; border-left: 3px solid {{ color }}">
        <div style="font-size: 13px; color: #5c6867">
          {{ message.author }}, {{ message.sent_at | date: "%Y-%m-%d %H:%M" }} UTC
        </div>
        <div dir="auto">{{ message.text | text_to_html }}</div>
      </div>
      {% endfor %}
    </td>
  </tr>
</table>
`,
}

/** An example, for previews and tests. */
export function transcriptExample(language: string, _baseUrl: string, company: string): TranscriptVariables {
  const customer = 'Carla Reyes'
  return {
    language,
    company: { name: company },
    customer: { name: customer, email: 'carla@customer.example' },
    agent: { name: 'Ada' },
    note: 'Can your workshop make one like it by Friday?',
    subject: '',
    messages: [
      {
        author: customer,
        text: 'Is the <b>oak</b> desk still there?\nI would fetch it on Friday.',
        is_customer: true,
        sent_at: '2026-11-22T09:41:00Z',
      },
      { author: 'Ada', text: 'I shall ask.', is_customer: false, sent_at: '2026-11-22T09:44:00Z' },
    ],
    texts: transcriptTexts(language, { agent: 'Ada', customer, subject: null }),
  }
}
