import { DEFAULT_TEMPLATE_COLOR, type TemplateDraft } from '#contract/email-templates.ts'
import type { CommonVariables } from './rendered-mail.ts'

/** What the mail may say that is itself the answer, in a conversation of mails. What was said before is quoted below it. */
export interface AnswerVariables extends CommonVariables {
  company: { name: string }
  customer: { name: string; email: string }
  agent: { name: string }
  /** The answer, with links to files that are too large to be attached. */
  message: { text: string }
  /** Of whoever wrote; empty when they have none. */
  signature: string
  /** By which mail programs put it into its thread: whatever the template says instead is not used. */
  subject: string
}

/** What a company begins with. */
export const answerStart: TemplateDraft = {
  subject: '{{ subject }}',
  color: DEFAULT_TEMPLATE_COLOR,
  body: `<div style="font-family: Helvetica, Arial, sans-serif; font-size: 15px; line-height: 1.55">
  <div>{{ message.text | text_to_html }}</div>
  {% if signature != "" %}
  <br />
  <div style="color: #5c6867">-- <br />{{ signature | text_to_html }}</div>
  {% endif %}
</div>
`,
}

/** An example, for previews and tests. */
export function answerExample(language: 'en' | 'vi', _baseUrl: string, company: string): AnswerVariables {
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
