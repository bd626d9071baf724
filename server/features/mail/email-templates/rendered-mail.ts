import type { TemplateProblem } from '#contract/mail/email-templates.ts'

/** A rendered mail to a customer. */
export interface RenderedMail {
  subject: string
  html: string
  text: string
}

/** Why a template could not be rendered. */
export class TemplateFailed extends Error {
  readonly problem: TemplateProblem

  constructor(problem: TemplateProblem) {
    super(`${problem.field}, line ${problem.line}: ${problem.message}`)
    this.problem = problem
  }
}

/** A message in a template. `text_to_html` gives its HTML in place of its text. */
export interface MessageVariable {
  text: string
  /** With its formatting. */
  html?: string
}

/** Variables of all templates. */
export interface CommonVariables {
  language: string
  /** Where the reader unsubscribes. Missing in mails that answer theirs. */
  unsubscribe_url?: string
  texts?: Record<string, string>
}
