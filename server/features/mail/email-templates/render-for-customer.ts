import type { TemplateKind } from '#contract/mail/email-templates.ts'
import type { Context } from '../../../context.ts'
import { mailAdmins } from '../mails/mail-admins.ts'
import type { MailContent } from '../mails/mail-templates.ts'
import { translate } from '../mails/translate.ts'
import { renderInWorker } from './render-in-worker.ts'
import { type CommonVariables, type RenderedMail, TemplateFailed } from './rendered-mail.ts'
import { getTemplate, recordFailure } from './templates.ts'

/**
 * A mail in the company's template; undefined if it has none, or the template fails for this mail. Then the admins are
 * notified, once per version, and the default is used.
 * @throws WorkersBusy; WorkersStopped: the mail can be rendered later
 */
export async function renderForCustomer(
  context: Context,
  account_id: string,
  kind: TemplateKind,
  variables: CommonVariables,
): Promise<RenderedMail | undefined> {
  const template = await getTemplate(context.db, account_id, kind)
  const { version_id } = template
  if (version_id === null) return undefined
  try {
    return await renderInWorker(context, account_id, template, variables)
  } catch (error) {
    if (!(error instanceof TemplateFailed)) throw error
    const failure = error.message
    await context.change(async (tx) => {
      if (!(await recordFailure(tx, { account_id, kind, version_id }, failure))) return
      const href = `${context.config.baseUrl}/developers/_templates`
      await mailAdmins(context, tx, account_id, { kind: 'template_failed', about: version_id }, (language) =>
        templateFailedMail(language, { failure, href }),
      )
    })
    return undefined
  }
}

/** The mail to the admins. */
export function templateFailedMail(
  language: MailContent['language'],
  { failure, href }: { failure: string; href: string },
): MailContent {
  return {
    language,
    subject: translate(language, 'template_failed_subject'),
    preview: translate(language, 'template_failed_text'),
    parts: [
      { type: 'text', text: translate(language, 'template_failed_text') },
      { type: 'quote', author: translate(language, 'template_failed_reason'), text: failure },
      { type: 'button', label: translate(language, 'template_failed_button'), href },
    ],
  }
}
