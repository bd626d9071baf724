import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { VList } from 'virtua'
import { showError } from '../../errors.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Once } from '../../ui/Once.tsx'
import { ListSkeleton } from '../../ui/Skeleton.tsx'
import { useTeam } from '../accounts/account.ts'
import { inboxesQuery } from '../inboxes/inboxes.ts'
import { ConversationItem } from './ConversationItem.tsx'
import styles from './ConversationList.module.css'
import { loadMore } from './cache.ts'
import { useClosing } from './closing.ts'
import { SearchBox } from './SearchBox.tsx'
import type { ConversationList as List, View } from './views.ts'

const ViewsDrawer = lazy(async () => ({ default: (await import('./ViewsDrawer.tsx')).ViewsDrawer }))

const ROW_HEIGHT = 68

interface ListProps {
  view: View
  list: UseQueryResult<List>
  selected_id: string | undefined
  search: (q: string) => void
}

export function ConversationList({ view, list, selected_id, search }: ListProps) {
  const { t } = useTranslation()
  const title = useTitle(view)
  const [choosing, setChoosing] = useState(false)
  return (
    <section className={styles.list} aria-label={title}>
      <header className={styles.head}>
        <span className={styles.switch}>
          <IconButton icon="menu" label={t('views.label')} onClick={() => setChoosing(true)} />
        </span>
        <h1 className={styles.title}>{title}</h1>
        {view.inbox_id && (
          <Link to={`/inboxes/${view.inbox_id}`} className={styles.configure} title={t('list.configure')}>
            <Icon name="settings" />
            <span className="unseen">{t('list.configure')}</span>
          </Link>
        )}
      </header>
      <SearchBox key={view.inbox_id ?? view.bucket} search={search} />
      <Rows view={view} list={list} selected_id={selected_id} />
      <Once wanted={choosing}>
        <ViewsDrawer open={choosing} close={() => setChoosing(false)} />
      </Once>
    </section>
  )
}

function Rows({ view, list, selected_id }: Omit<ListProps, 'search'>) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me, account } = useTeam()
  const closing = useClosing()
  const [loading, setLoading] = useState(false)
  if (list.isPending) return <ListSkeleton label={t('loading')} />
  // Why there is nothing to show is said in the pane beside the list.
  if (!list.data || list.data.conversations.length === 0) return null
  const { conversations, next } = list.data

  const more = async () => {
    setLoading(true)
    await loadMore(client, view).catch((error) => showError('Conversations not loaded', error))
    setLoading(false)
  }
  return (
    <VList className={styles.rows} itemSize={ROW_HEIGHT}>
      {conversations.map((conversation) => (
        <ConversationItem
          key={conversation.id}
          view={view}
          conversation={conversation}
          user_id={me.id}
          assignee={account.users.find((user) => user.id === conversation.assignee_id)}
          isSelected={conversation.id === selected_id}
          isClosing={closing.has(conversation.id)}
        />
      ))}
      {next ? (
        <div key="more" className={styles.more}>
          <Button type="text" block loading={loading} onClick={more}>
            {t('list.load_more')}
          </Button>
        </div>
      ) : null}
    </VList>
  )
}

function useTitle(view: View): string {
  const { t } = useTranslation()
  const { data: inboxes } = useQuery(inboxesQuery)
  if (!view.inbox_id) return t(`list.titles.${view.bucket}`)
  return inboxes?.find((inbox) => inbox.id === view.inbox_id)?.name ?? t('views.inboxes')
}
