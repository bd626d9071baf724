import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { languageModel } from '#contract/connections/language-model.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { call } from '../../../platform/http/api.ts'

/** Whether the team can write with a model. */
export const languageModelQuery = queryOptions({
  queryKey: ['language-model'],
  queryFn: async ({ signal }) => (await call(languageModel.get, { signal })).data,
  staleTime: 60_000,
})

/** The settings of the model, for admins. */
export const modelSettingsQuery = queryOptions({
  queryKey: ['language-model', 'settings'],
  queryFn: async ({ signal }) => (await call(languageModel.settings, { signal })).data,
  refetchOnMount: 'always',
})

/** How much the model was used in this month. */
export const modelUsageQuery = queryOptions({
  queryKey: ['language-model', 'usage'],
  queryFn: async ({ signal }) => (await call(languageModel.usage, { signal })).data,
  refetchOnMount: 'always',
})

/** Saves the settings, which the server tries before. */
export async function saveModel(client: QueryClient, body: BodyInput<typeof languageModel.change>): Promise<void> {
  const { data } = await call(languageModel.change, { body })
  client.setQueryData(modelSettingsQuery.queryKey, data)
  await client.invalidateQueries({ queryKey: languageModelQuery.queryKey })
}

export async function removeLanguageModel(client: QueryClient): Promise<void> {
  await call(languageModel.remove, {})
  await client.invalidateQueries({ queryKey: languageModelQuery.queryKey })
}

/** The names of a server's models. */
export async function listModels(body: BodyInput<typeof languageModel.models>): Promise<string[]> {
  return (await call(languageModel.models, { body })).data
}
