import { queryOptions } from '@tanstack/react-query'
import { onboarding } from '#contract/accounts/onboarding.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { conversationKeys } from '../../features/conversations/conversations/keys.ts'
import { call } from '../../platform/http/api.ts'

/** Which setup steps are done. */
export const onboardingQuery = queryOptions({
  queryKey: ['onboarding'] as const,
  queryFn: ({ signal }) => call(onboarding.status, { signal }),
  refetchOnMount: 'always',
})

/** The newest conversation, or null. */
export const firstConversationQuery = queryOptions({
  queryKey: conversationKeys.first,
  queryFn: async ({ signal }) => {
    const { data } = await call(conversations.list, { query: { limit: 1, messages: 'last' }, signal })
    return { newest: data[0] }
  },
  refetchOnMount: 'always',
})
