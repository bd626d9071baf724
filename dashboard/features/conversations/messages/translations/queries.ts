import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Message } from '#contract/conversations/messages.ts'
import { type MessageTranslation, translations } from '#contract/conversations/translations.ts'
import { call } from '../../../../platform/http/api.ts'
import { translationsKey } from './keys.ts'

/** The translations of the messages of a conversation from a number on. */
function translationsQuery(conversation_id: string, from: number) {
  return queryOptions({
    queryKey: [...translationsKey(conversation_id), from],
    queryFn: async ({ signal }) => {
      const loaded: MessageTranslation[] = []
      let before: number | undefined
      do {
        const page = await call(translations.list, { params: { id: conversation_id }, query: { before }, signal })
        loaded.push(...page.data)
        before = page.next ?? undefined
      } while (before !== undefined && before > from)
      return loaded
    },
    staleTime: 60_000,
    // Those of the loaded messages stay on screen while older ones are loaded.
    placeholderData: keepPreviousData,
  })
}

/** The translations of the loaded messages, by message. */
export function useTranslations(
  conversation_id: string,
  messages: readonly Message[],
): ReadonlyMap<string, readonly MessageTranslation[]> {
  const enabled = messages.length > 0
  const { data } = useQuery({ ...translationsQuery(conversation_id, messages[0]?.number ?? 0), enabled })
  return useMemo(() => {
    const byMessage = new Map<string, MessageTranslation[]>()
    for (const translation of data ?? [])
      byMessage.set(translation.message_id, [...(byMessage.get(translation.message_id) ?? []), translation])
    return byMessage
  }, [data])
}

/** Shows a translation that has just arrived. */
export function addTranslation(client: QueryClient, conversation_id: string, added: MessageTranslation) {
  client.setQueriesData<MessageTranslation[]>({ queryKey: translationsKey(conversation_id) }, (list) => {
    const isSame = (translation: MessageTranslation) =>
      translation.message_id === added.message_id && translation.language === added.language
    return list && [...list.filter((translation) => !isSame(translation)), added]
  })
}
