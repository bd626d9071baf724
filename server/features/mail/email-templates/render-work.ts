import type { TemplateDraft, TemplateProblem } from '#contract/mail/email-templates.ts'
import { renderTemplate } from './render.ts'
import { type CommonVariables, type RenderedMail, TemplateFailed } from './rendered-mail.ts'

/** A rendered template, or why it cannot be rendered. Runs in a worker process. */
export async function work({
  template,
  variables,
}: {
  template: TemplateDraft
  variables: CommonVariables
}): Promise<RenderedMail | { problem: TemplateProblem }> {
  try {
    return renderTemplate(template, variables)
  } catch (error) {
    if (error instanceof TemplateFailed) return { problem: error.problem }
    throw error
  }
}
