import { Readable } from 'node:stream'
import { articleCollections } from '#contract/help/article-collections.ts'
import { articles, MAX_IMPORT_BYTES } from '#contract/help/articles.ts'
import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { deleteArticle, deleteTranslation, reorderArticles, updateArticle } from './changing.ts'
import {
  createCollection,
  deleteCollection,
  listCollections,
  reorderCollections,
  updateCollection,
} from './collections.ts'
import { createArticle, saveDraft } from './drafts.ts'
import { exportFolder } from './exporting.ts'
import { createFromConversation } from './from-conversation.ts'
import { importFolder } from './importing.ts'
import { countArticles, listArticles } from './listing.ts'
import { getArticle } from './presenting.ts'
import { publishDraft, unpublish } from './publishing.ts'
import { renderBody } from './rendering.ts'
import { getRevision, listRevisions, restoreRevision } from './revisions.ts'

export function registerCollectionRoutes(routes: Routes, { db, change }: Context) {
  routes.route(articleCollections.list, async ({ caller }) => ({ data: await listCollections(db, caller.account_id) }))
  routes.route(articleCollections.create, async ({ caller, body }) => ({
    data: await change((tx) => createCollection(tx, caller.account_id, body.collection)),
  }))
  routes.route(articleCollections.reorder, async ({ caller, body }) => ({
    data: await change((tx) => reorderCollections(tx, caller.account_id, body.ids)),
  }))
  routes.route(articleCollections.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateCollection(tx, caller.account_id, params.id, body.collection)),
  }))
  routes.route(articleCollections.remove, ({ caller, params }) =>
    change((tx) => deleteCollection(tx, caller.account_id, params.id)),
  )
}

export function registerArticleRoutes(routes: Routes, context: Context) {
  const { db, change, config } = context
  routes.route(articles.list, ({ caller, query }) => listArticles(db, config, caller.account_id, query))
  routes.route(articles.counts, async ({ caller, query }) => ({
    data: await countArticles(db, caller.account_id, query),
  }))
  routes.route(articles.create, async ({ caller, body }) => ({
    data: await change((tx) => createArticle(tx, config, caller, body.article)),
  }))
  routes.route(articles.fromConversation, async ({ caller, body }) => ({
    data: await change((tx) => createFromConversation(tx, config, caller, body)),
  }))
  routes.route(articles.export, async ({ caller, reply }) => {
    const day = new Date().toISOString().slice(0, 10)
    reply.header('content-type', 'application/zip')
    reply.header('content-disposition', `attachment; filename="articles-${day}.zip"`)
    return Readable.from(exportFolder(context, caller.account_id))
  })
  routes.route(articles.import, async ({ caller, body: { file, language } }) => {
    if (!Buffer.isBuffer(file) || file.length === 0) throw new Invalid({ file: ["can't be blank"] })
    if (file.length > MAX_IMPORT_BYTES) throw new Invalid({ file: ['is larger than 8 MB'] })
    return { data: await importFolder(context, caller, { bytes: file, language }) }
  })
  routes.route(articles.preview, async ({ caller, body }) => {
    const { html } = await renderBody(context, caller.account_id, body.body, '/files/')
    return { data: { html } }
  })
  routes.route(articles.get, async ({ caller, params }) => ({
    data: await getArticle(db, config, caller.account_id, params.id),
  }))
  routes.route(articles.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateArticle(tx, config, caller, params.id, body.article)),
  }))
  routes.route(articles.reorder, ({ caller, params, body }) =>
    change((tx) => reorderArticles(tx, caller, params.id, body.ids)),
  )
  routes.route(articles.remove, ({ caller, params }) => change((tx) => deleteArticle(tx, caller, params.id)))
  routes.route(articles.saveDraft, async ({ caller, params, body }) => ({
    data: await change((tx) => saveDraft(tx, config, caller, { ...params, draft: body.translation })),
  }))
  routes.route(articles.removeTranslation, ({ caller, params }) =>
    change((tx) => deleteTranslation(tx, config, caller, params)),
  )
  routes.route(articles.publish, async ({ caller, params, body }) => ({
    data: await publishDraft(context, caller, { ...params, version: body.version }),
  }))
  routes.route(articles.unpublish, async ({ caller, params }) => ({
    data: await change((tx) => unpublish(tx, config, caller, params)),
  }))
  routes.route(articles.revisions, async ({ caller, params }) => ({
    data: await listRevisions(db, caller.account_id, params),
  }))
  routes.route(articles.revision, async ({ caller, params }) => ({
    data: await getRevision(context, caller.account_id, params.id),
  }))
  routes.route(articles.restore, async ({ caller, params }) => ({
    data: await change((tx) => restoreRevision(tx, config, caller, params.id)),
  }))
}
