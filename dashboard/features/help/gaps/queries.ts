import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type GapKind, type GapState, helpGaps } from '#contract/help/article-feedback.ts'
import { call } from '../../../platform/http/api.ts'
import { helpKeys } from '../keys.ts'

/** What is missing of one kind, the most frequent first. There are no events for it. */
export function gapsQuery(kind: GapKind, state: GapState) {
  return queryOptions({
    queryKey: [...helpKeys.gaps, kind, state],
    queryFn: async ({ signal }) => (await call(helpGaps.list, { query: { kind, state, limit: 200 }, signal })).data,
    refetchOnMount: 'always',
  })
}

/** Marks it as done, ignored or open again. */
export async function markGap(client: QueryClient, id: string, state: GapState): Promise<void> {
  await call(helpGaps.update, { params: { id }, body: { gap: { state } } })
  await client.invalidateQueries({ queryKey: helpKeys.gaps })
}
