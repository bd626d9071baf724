import type { QueryClient } from '@tanstack/react-query'
import { type ArticleImport, articles } from '#contract/help/articles.ts'
import { type HelpCenterChanges, helpCenter } from '#contract/help/help-center.ts'
import { call, callWithForm } from '../../../platform/http/api.ts'
import { download } from '../../../platform/http/download.ts'
import { helpKeys } from '../keys.ts'

/** Changes the settings; those left out stay. */
export async function saveHelpCenter(client: QueryClient, help_center: HelpCenterChanges): Promise<void> {
  const { data } = await call(helpCenter.update, { body: { help_center } })
  client.setQueryData(helpKeys.center, data)
}

/** Asks the server to look for the record of the own domain. Fails with what is missing. */
export async function checkDomain(client: QueryClient): Promise<void> {
  const { data } = await call(helpCenter.checkDomain, {})
  client.setQueryData(helpKeys.center, data)
}

/** Imports a zip of Markdown files as drafts. */
export async function importArticles(client: QueryClient, file: File): Promise<ArticleImport> {
  const form = new FormData()
  form.append('file', file, file.name)
  const { data } = await callWithForm(articles.import, form)
  await Promise.all([
    client.invalidateQueries({ queryKey: helpKeys.articles }),
    client.invalidateQueries({ queryKey: helpKeys.collections }),
  ])
  return data
}

/** Downloads all articles as a zip of Markdown files. */
export function exportArticles(): Promise<void> {
  return download(articles.export, {}, 'articles.zip')
}
