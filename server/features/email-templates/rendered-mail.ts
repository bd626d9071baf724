import type { TemplateProblem } from '#contract/email-templates.ts'

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

/** Variables of all templates. */
export interface CommonVariables {
  language: 'en' | 'vi'
  /** Where the reader unsubscribes. Missing in mails that answer theirs. */
  unsubscribe_url?: string
  texts?: Record<string, string>
}
