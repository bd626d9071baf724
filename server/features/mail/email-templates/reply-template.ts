import { DEFAULT_TEMPLATE_COLOR, type TemplateDraft } from '#contract/mail/email-templates.ts'
import { translate } from '../mails/translate.ts'
import type { CommonVariables, MessageVariable } from './rendered-mail.ts'

/** Variables of the notification about a reply. */
export interface ReplyVariables extends CommonVariables {
  company: { name: string }
  customer: { name: string; email: string }
  /** The author of the last message. */
  agent: { name: string }
  messages: ({ author: string; is_customer: boolean; sent_at: string } & MessageVariable)[]
  /** The page where the customer was last seen; empty if unknown. */
  page_url: string
  unsubscribe_url: string
  texts: Record<'subject' | 'intro' | 'reply_back' | 'visit' | 'unsubscribe', string>
}

/** The default sentences in the customer's language. */
export function replyTexts(language: string, company: string, count: number): ReplyVariables['texts'] {
  return {
    subject: translate(language, 'reply_subject', { company }),
    intro: translate(language, count > 1 ? 'reply_text_several' : 'reply_text', { company }),
    reply_back: translate(language, 'reply_back'),
    visit: translate(language, 'reply_visit'),
    unsubscribe: translate(language, 'unsubscribe'),
  }
}

/** The template to start from. */
export const replyStart: TemplateDraft = {
  subject: '{{ texts.subject }}',
  color: DEFAULT_TEMPLATE_COLOR,
  body: `<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width: 635px">
  <tr>
    <td style="padding: 28px 32px; font-family: Helvetica, Arial, sans-serif; font-size: 15px; line-height: 1.55">
      <p>{{ texts.intro }}</p>
      {% for message in messages %}
      <div style="margin: 0 0 16px; padding: 10px 14px; border-left: 3px solid {{ color }}">
        <div style="font-size: 13px; color: #5c6867">{{ message.author }}</div>
        <div dir="auto">{{ message.text | text_to_html }}</div>
      </div>
      {% endfor %}
      {% if page_url != "" %}
      <p>
        <a
          href="{{ page_url }}"
          style="padding: 11px 20px; border-radius: 8px; background: {{ color }}; color: #ffffff; text-decoration: none"
          >{{ texts.visit }}</a
        >
      </p>
      {% endif %}
      <p style="font-size: 13px; color: #5c6867">{{ texts.reply_back }}</p>
      <p style="font-size: 13px; color: #5c6867">
        <a href="{{ unsubscribe_url }}" style="color: #5c6867">{{ texts.unsubscribe }}</a>
      </p>
    </td>
  </tr>
</table>
`,
}

/** An example, for previews and tests. */
export function replyExample(language: string, baseUrl: string, company: string): ReplyVariables {
  const line = (author: string, text: string, is_customer: boolean) => ({
    author,
    text,
    is_customer,
    sent_at: '2026-11-22T09:41:00Z',
  })
  return {
    language,
    company: { name: company },
    customer: { name: 'Carla Reyes', email: 'carla@customer.example' },
    agent: { name: 'Ada' },
    messages: [
      line('Carla Reyes', 'Is the <b>oak</b> desk still there?\nI would fetch it on Friday.', true),
      line('Ada', 'It is, and I have put your name on it: https://shop.example.com/desks', false),
    ],
    page_url: 'https://shop.example.com/desks',
    unsubscribe_url: `${baseUrl}/unsubscribe?token=example`,
    texts: replyTexts(language, company, 2),
  }
}
