import { DEFAULT_TEMPLATE_COLOR, type TemplateDraft } from '#contract/mail/email-templates.ts'
import type { CommonVariables, MessageVariable } from './rendered-mail.ts'

/** Variables of the mail that carries a reply, in a conversation of mails. Earlier messages are quoted below it. */
export interface AnswerVariables extends CommonVariables {
  company: { name: string }
  customer: { name: string; email: string }
  agent: { name: string }
  /** The reply, with links to files that are too large to attach. */
  message: MessageVariable
  /** The author's signature; empty if they have none. */
  signature: string
  /** Mail programs use it to assign the thread: another subject in the template is ignored. */
  subject: string
}

/** The template to start from. */
export const answerStart: TemplateDraft = {
  subject: '{{ subject }}',
  color: DEFAULT_TEMPLATE_COLOR,
  body: `<div style="font-family: Helvetica, Arial, sans-serif; font-size: 15px; line-height: 1.55">
  <div dir="auto">{{ message.text | text_to_html }}</div>
  {% if signature != "" %}
  <br />
  <div style="color: #5c6867">-- <br />{{ signature | text_to_html }}</div>
  {% endif %}
</div>
`,
}

/** An example, for previews and tests. */
export function answerExample(language: string, _baseUrl: string, company: string): AnswerVariables {
  return {
    language,
    company: { name: company },
    customer: { name: 'Carla Reyes', email: 'carla@customer.example' },
    agent: { name: 'Ada' },
    message: {
      text: 'The <b>oak</b> desk is still there.\nI have put your name on it: https://shop.example.com/desks',
    },
    signature: `Ada\n${company}`,
    subject: 'Re: The oak desk',
  }
}
