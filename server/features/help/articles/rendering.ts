import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import { WorkerKilled, WorkFailed } from '../../../platform/workers/worker-errors.ts'
import { defineTask } from '../../../platform/workers/worker-task.ts'
import { loadFiles } from '../../conversations/files/files.ts'
import { fileIdsIn } from './article-files.ts'
import type { work } from './render-work.ts'
import type { RenderedArticle, Rendering } from './rendered-article.ts'

const renderTask = defineTask<typeof work>('articles.render', {
  module: new URL('./render-work.ts', import.meta.url),
  timeoutMs: 15_000,
})

/**
 * Renders Markdown in a worker process, with the files of this account that it names.
 * @throws Invalid for a text that takes too long; WorkersBusy; WorkersStopped
 */
export async function renderBody(
  { db, workers, log }: Pick<Context, 'db' | 'workers' | 'log'>,
  account_id: string,
  body: string,
  filesAt: Rendering['filesAt'],
): Promise<RenderedArticle> {
  const files = (await loadFiles(db, account_id, fileIdsIn(body))).map(
    ({ id, filename, content_type, width, height }) => ({
      id,
      filename,
      content_type,
      width,
      height,
    }),
  )
  return renderTask
    .run(workers, { account_id, bytes: body.length }, { body, files, filesAt })
    .catch((error: unknown) => {
      if (!(error instanceof WorkerKilled || error instanceof WorkFailed)) throw error
      log.warn({ err: error, account_id }, 'An article could not be rendered')
      throw new Invalid({ body: ['takes too long to show. Make it shorter, or split it into several articles.'] })
    })
}
