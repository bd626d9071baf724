import type { TemplateProblem } from '#contract/email-templates.ts'

/** A mail to a customer as it goes out. */
export interface RenderedMail {
  subject: string
  html: string
  text: string
}

/** Why a template gave no mail. */
export class TemplateFailed extends Error {
  readonly problem: TemplateProblem

  constructor(problem: TemplateProblem) {
    super(`${problem.field}, line ${problem.line}: ${problem.message}`)
    this.problem = problem
  }
}

/** What every template is given besides what its mail is about. */
export interface CommonVariables {
  language: 'en' | 'vi'
  /** Where its reader says that they want no more such mails. None for mails that answer theirs. */
  unsubscribe_url?: string
  texts?: Record<string, string>
}
