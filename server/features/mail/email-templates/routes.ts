import {
  emailTemplates,
  type TemplateDraft,
  type TemplateKind,
  type TemplatePreview,
} from '#contract/mail/email-templates.ts'
import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { ConcurrencyLimiter } from '../../../platform/limits/concurrency-limiter.ts'
import { newId } from '../../../platform/secrets.ts'
import { getAccount } from '../../accounts/accounts/accounts.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { languageOf } from '../../accounts/users/user-settings.ts'
import { loadUsers } from '../../accounts/users/users.ts'
import { writeMail } from '../mails/mails.ts'
import { kinds } from './kinds.ts'
import { renderInWorker } from './render-in-worker.ts'
import { type RenderedMail, TemplateFailed } from './rendered-mail.ts'
import { listTemplates, listVersions, resetTemplate, restoreVersion, saveTemplate } from './templates.ts'

/** Concurrent previews of one account, and how many more may wait. */
const trials = new ConcurrencyLimiter(2, 10)

export function registerEmailTemplatesRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(emailTemplates.list, async ({ caller }) => ({ data: await listTemplates(db, caller.account_id) }))
  routes.route(emailTemplates.versions, async ({ caller, params }) => ({
    data: await listVersions(db, caller.account_id, params.kind),
  }))
  routes.route(emailTemplates.save, async ({ caller, params: { kind }, body: { template } }) => {
    assertRenders(await renderExample(context, caller, kind, template))
    const { account_id, user_id } = caller
    const data = await change(async (tx) => {
      await note(tx, caller, 'email_template.saved', kind)
      return saveTemplate(tx, { account_id, user_id, kind }, template)
    })
    return { data }
  })
  routes.route(emailTemplates.reset, ({ caller, params: { kind } }) =>
    change(async (tx) => {
      await note(tx, caller, 'email_template.reset', kind)
      return resetTemplate(tx, caller.account_id, kind)
    }),
  )
  routes.route(emailTemplates.restore, async ({ caller, params: { kind, version_id } }) => {
    const data = await change(async (tx) => {
      await note(tx, caller, 'email_template.restored', kind)
      return restoreVersion(tx, caller.account_id, kind, version_id)
    })
    return { data }
  })
}

export function registerTrialsRoutes(routes: Routes, context: Context) {
  routes.route(emailTemplates.preview, async ({ caller, params: { kind }, body: { template } }) => {
    const outcome = await renderExample(context, caller, kind, template)
    const nothing = { subject: '', html: '', text: '' }
    const data: TemplatePreview =
      outcome instanceof TemplateFailed ? { ...nothing, problems: [outcome.problem] } : { ...outcome, problems: [] }
    return { data }
  })
  routes.route(emailTemplates.test, async ({ caller, params: { kind }, body: { template } }) => {
    const rendered = assertRenders(await renderExample(context, caller, kind, template))
    const { account_id, user_id } = caller
    const recipient = (await loadUsers(context.db, account_id, [user_id])).get(user_id)!.email
    await context.change((tx) =>
      writeMail(context, tx, account_id, { id: newId(), kind: 'template_test', recipient, content: rendered }),
    )
    return { data: { recipient } }
  })
}

async function renderExample(
  context: Context,
  { account_id, user_id }: User,
  kind: TemplateKind,
  template: TemplateDraft,
): Promise<RenderedMail | TemplateFailed> {
  const { company_name } = await getAccount(context, account_id, new Date())
  const language = await languageOf(context.db, account_id, user_id)
  const variables = kinds[kind].example(language, context.config.baseUrl, company_name)
  try {
    return await trials.run(account_id, () => renderInWorker(context, account_id, template, variables))
  } catch (error) {
    if (error instanceof TemplateFailed) return error
    throw error
  }
}

function assertRenders(outcome: RenderedMail | TemplateFailed): RenderedMail {
  if (!(outcome instanceof TemplateFailed)) return outcome
  const { field, line, message } = outcome.problem
  throw new Invalid({ [field]: [`line ${line}: ${message}`] })
}

function note(tx: Change, caller: User, action: string, kind: TemplateKind): Promise<void> {
  return recordAudit(tx, caller, { action, subject_id: kind, subject_name: kind })
}
