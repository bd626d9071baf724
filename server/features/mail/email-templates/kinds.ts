import type { TemplateDraft, TemplateKind } from '#contract/mail/email-templates.ts'
import { answerExample, answerStart } from './answer-template.ts'
import type { CommonVariables } from './rendered-mail.ts'
import { replyExample, replyStart } from './reply-template.ts'
import { transcriptExample, transcriptStart } from './transcript-template.ts'

interface Kind {
  /** The template to start from. */
  start: TemplateDraft
  example(language: string, baseUrl: string, company: string): CommonVariables
}

/** Every mail to customers that a company can customise. They are rendered with `renderForCustomer`. */
export const kinds: Record<TemplateKind, Kind> = {
  reply: { start: replyStart, example: replyExample },
  answer: { start: answerStart, example: answerExample },
  transcript: { start: transcriptStart, example: transcriptExample },
}
