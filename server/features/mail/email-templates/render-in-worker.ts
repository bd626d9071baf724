import type { TemplateDraft } from '#contract/mail/email-templates.ts'
import type { Context } from '../../../context.ts'
import { WorkerKilled, WorkFailed } from '../../../platform/workers/worker-errors.ts'
import { defineTask } from '../../../platform/workers/worker-task.ts'
import type { work } from './render-work.ts'
import { type CommonVariables, type RenderedMail, TemplateFailed } from './rendered-mail.ts'

const renderTask = defineTask<typeof work>('templates.render', {
  module: new URL('./render-work.ts', import.meta.url),
  // Liquid itself stops after a second of its own time.
  timeoutMs: 15_000,
})

/**
 * Renders a template in a worker process: what admins write must not keep other companies waiting.
 * @throws TemplateFailed; WorkersBusy; WorkersStopped
 */
export async function renderInWorker(
  { workers, log }: Pick<Context, 'workers' | 'log'>,
  account_id: string,
  template: TemplateDraft,
  variables: CommonVariables,
): Promise<RenderedMail> {
  const turn = { account_id, bytes: template.body.length + template.subject.length }
  const { subject, body, color } = template
  const input = { template: { subject, body, color }, variables }
  const outcome = await renderTask.run(workers, turn, input).catch((error: unknown) => {
    if (!(error instanceof WorkerKilled || error instanceof WorkFailed)) throw error
    log.warn({ err: error, account_id }, 'A template could not be rendered')
    return { problem: { field: 'body' as const, line: 1, message: 'it takes too long or too much memory to render' } }
  })
  if ('problem' in outcome) throw new TemplateFailed(outcome.problem)
  return outcome
}
