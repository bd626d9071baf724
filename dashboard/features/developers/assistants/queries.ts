import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type AssistantScope,
  type AssistantSettings,
  assistants,
  type ConsentRequest,
} from '#contract/developers/assistants.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'
import { useSavingSettings } from '../../../platform/http/useSavingSettings.ts'

/** The connected assistants: one's own, for admins those of the team. */
export const assistantsQuery = queryOptions({
  queryKey: ['assistants'],
  queryFn: async ({ signal }) => (await call(assistants.list, { signal })).data,
  refetchOnMount: 'always',
})

/** Whether assistants may connect, and where. */
export const assistantSettingsQuery = queryOptions({
  queryKey: ['assistant-settings'],
  queryFn: async ({ signal }) => (await call(assistants.settings, { signal })).data,
  refetchOnMount: 'always',
})

/** Saves changes, shown at once and reverted if the server refuses. */
export function useSaveAssistantSettings(failed: string) {
  return useSavingSettings({
    key: assistantSettingsQuery.queryKey,
    save: async (changes: Partial<Pick<AssistantSettings, 'is_enabled' | 'may_send'>>) =>
      (await call(assistants.changeSettings, { body: changes })).data,
    failed,
  })
}

export async function disconnect(client: QueryClient, id: string): Promise<void> {
  await call(assistants.revoke, { params: { id } }).catch((error) => {
    // It was already disconnected in another tab.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
  client.setQueryData(assistantsQuery.queryKey, (listed) => listed?.filter((assistant) => assistant.id !== id))
}

/** Who asks for consent, and for what. */
export const consentQuery = (asked: ConsentRequest) =>
  queryOptions({
    queryKey: ['assistant-consent', asked],
    queryFn: async ({ signal }) => (await call(assistants.describeConsent, { body: asked, signal })).data,
    retry: false,
  })

/** Returns where to send the browser. */
export async function consent(asked: ConsentRequest, scopes: AssistantScope[]): Promise<string> {
  return (await call(assistants.consent, { body: { ...asked, scopes } })).data.redirect_to
}
