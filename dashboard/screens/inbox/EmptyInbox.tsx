import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { countQuery } from '../../features/conversations/conversations/counts.ts'
import { type ConversationList, pathOfView, type View } from '../../features/conversations/conversations/views.ts'
import { inboxesQuery } from '../../features/widget/inboxes/queries.ts'
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx'
import { withTexts } from '../../platform/texts.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadFailed } from '../../ui/LoadFailed.tsx'

const loadEmptyView = async () => (await import('../../features/conversations/views/EmptyView.tsx')).EmptyView
const EmptyView = lazyComponent(withTexts(['saved-views'], loadEmptyView))

/** Why a list is empty: loading failed, its inbox was deleted, nothing fits its view, there are no conversations yet, or all are done. */
export function EmptyInbox({ view, list }: { view: View; list: UseQueryResult<ConversationList> }) {
  const { t } = useTranslation()
  const { data: inboxes } = useQuery(inboxesQuery)
  if (list.isError) {
    return (
      <LoadFailed
        title={t('list.failed')}
        text={list.error.message || t('list.unknown_error')}
        retryLabel={t('retry')}
        retry={list.refetch}
      />
    )
  }
  if (view.saved) {
    return (
      <Suspense fallback={null}>
        <EmptyView view={view.saved} />
      </Suspense>
    )
  }
  if (view.inbox_id && inboxes && !inboxes.some(({ id }) => id === view.inbox_id)) return <InboxDeleted />
  return <NoMessages view={view} />
}

function InboxDeleted() {
  const { t } = useTranslation()
  return (
    <EmptyState
      drawing="rest"
      title={t('list.inbox_gone')}
      text={t('list.inbox_gone_text')}
      action={
        <Link to={pathOfView({ bucket: 'all' })}>
          <Button variant="primary">{t('list.see_all')}</Button>
        </Link>
      }
    />
  )
}

function NoMessages({ view }: { view: View }) {
  const { t } = useTranslation()
  const { data: count, isPending } = useQuery(countQuery({ inbox_id: view.inbox_id, team_id: view.team_id }))
  if (isPending) return null
  if (count !== 0 || view.team_id)
    return <EmptyState drawing="rest" title={t('list.no_messages')} text={t('list.rest')} />
  return (
    <EmptyState
      drawing="talk"
      title={t('list.no_messages')}
      text={t('list.no_channels')}
      action={
        <ButtonLink to={view.inbox_id ? `/inboxes/${view.inbox_id}` : '/getting-started'} variant="primary">
          {view.inbox_id ? t('list.configure_inbox') : t('list.get_started')}
        </ButtonLink>
      }
    />
  )
}
