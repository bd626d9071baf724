import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type ConversationList, isAllDone, type View } from '../../features/conversations/conversations/views.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { EmptyInbox } from './EmptyInbox.tsx'

/** Shown while no conversation is selected. */
export function NothingSelected({ view, list }: { view: View; list: UseQueryResult<ConversationList> }) {
  const { t } = useTranslation()
  if (list.isPending) return null
  if (list.isError || isAllDone(list.data)) return <EmptyInbox view={view} list={list} />
  return (
    <EmptyState
      drawing="talk"
      title={t('list.choose')}
      text={
        <>
          {t('list.choose_text')} <Keys of="mod+down" />
        </>
      }
    />
  )
}
