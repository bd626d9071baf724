import { queryOptions } from '@tanstack/react-query'
import type { ConversationRow } from '#contract/conversations/conversations.ts'
import { suggestions } from '#contract/conversations/suggestions.ts'
import { call } from '../../../platform/http/api.ts'

/** What may answer a conversation, as of its newest message. */
export const suggestionsQuery = ({ id, last_number }: Pick<ConversationRow, 'id' | 'last_number'>) =>
  queryOptions({
    queryKey: ['suggestions', id, last_number],
    queryFn: async ({ signal }) => (await call(suggestions.get, { params: { id }, signal })).data,
    staleTime: 60_000,
  })
