import { queryOptions } from '@tanstack/react-query'
import { type WhatsappTemplate, whatsapp } from '#contract/integrations/whatsapp.ts'
import { call } from '../../../../platform/http/api.ts'
import { integrationKeys } from '../../../connections/authorizations/keys.ts'

/** The approved templates of the number over which a conversation is answered. */
export const templatesQuery = (conversation_id: string) =>
  queryOptions({
    queryKey: [...integrationKeys.list, 'templates', conversation_id],
    queryFn: async ({ signal }) =>
      (await call(whatsapp.templates, { params: { conversation_id }, query: {}, signal })).data,
    staleTime: 60_000,
    retry: false,
  })

/** Asks Meta for the templates again: one may have been approved meanwhile. */
export async function fetchTemplates(conversation_id: string): Promise<WhatsappTemplate[]> {
  return (await call(whatsapp.templates, { params: { conversation_id }, query: { refresh: 'true' } })).data
}

/** Sends a template. The same id is sent once. */
export async function sendTemplate(
  conversation_id: string,
  id: string,
  { name, language }: Pick<WhatsappTemplate, 'name' | 'language'>,
  filled: { variables: Record<string, string>; file_id?: string | undefined; send_anyway: boolean },
): Promise<void> {
  await call(whatsapp.sendTemplate, { params: { conversation_id }, body: { id, name, language, ...filled } })
}
