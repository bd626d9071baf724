import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { ConversationView } from '#contract/conversations/views.ts'
import { useTeam } from '../../../features/accounts/accounts/account.ts'
import { teamsQuery } from '../../../features/accounts/teams/queries.ts'
import type { InboxOnScreen } from '../../../features/conversations/actions/inbox-on-screen.ts'
import { loadMore } from '../../../features/conversations/conversations/cache.ts'
import { useClosing } from '../../../features/conversations/conversations/closing.ts'
import { ConversationItem } from '../../../features/conversations/conversations/list/ConversationItem.tsx'
import { SwipeRow } from '../../../features/conversations/conversations/list/SwipeRow.tsx'
import {
  isAllDone,
  type ConversationList as List,
  pathOfView,
  type View,
} from '../../../features/conversations/conversations/views.ts'
import { moveBetweenHits } from '../../../features/conversations/search/hit-navigation.ts'
import { viewsQuery } from '../../../features/conversations/views/queries.ts'
import { inboxesQuery } from '../../../features/widget/inboxes/queries.ts'
import { useDebounced } from '../../../platform/forms/useDebounced.ts'
import { showError } from '../../../platform/http/errors.ts'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { withTexts } from '../../../platform/texts.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { ListSkeleton } from '../../../ui/Skeleton.tsx'
import { useTabTitle } from '../../../ui/tab-title.ts'
import { VirtualList, type VirtualListHandle } from '../../../ui/VirtualList.tsx'
import styles from './ConversationList.module.css'
import { OverdueFilter } from './OverdueFilter.tsx'
import { SearchBox } from './SearchBox.tsx'
import { chooseRange, type Selection, toggle } from './selection.ts'

const SelectionBar = lazyComponent(async () => (await import('./SelectionBar.tsx')).SelectionBar)
const loadViewMenu = async () => (await import('../../../features/conversations/views/ViewMenu.tsx')).ViewMenu
const ViewMenu = lazyComponent(withTexts(['saved-views'], loadViewMenu))
const ViewsDrawer = lazyComponent(async () => (await import('../views/ViewsDrawer.tsx')).ViewsDrawer)

const SearchResults = lazyComponent(
  async () => (await import('../../../features/conversations/search/SearchResults.tsx')).SearchResults,
)

const ROW_HEIGHT = 68

interface ListProps {
  view: View
  list: UseQueryResult<List>
  selected_id: string | undefined
  selection: Selection
}

export function ConversationList({ commands, ...props }: ListProps & { commands: InboxOnScreen }) {
  const { t } = useTranslation()
  const { view, list, selected_id, selection } = props
  const title = useTitle(view)
  const saved = useSavedView(view)
  useTabTitle(selected_id ? undefined : title)
  const [isChoosingView, setChoosingView] = useState(false)
  return (
    <section className={styles.list} aria-label={title} data-selection={selection.isSelecting || undefined}>
      <header className={styles.head} hidden={selection.isSelecting}>
        <span className={styles.switch}>
          <IconButton icon="menu" label={t('views.label')} onClick={() => setChoosingView(true)} />
        </span>
        <h1 className={styles.title}>{title}</h1>
        {!!list.data?.conversations.length && (
          <span className={styles.touch}>
            <IconButton icon="tick" label={t('choosing.start')} onClick={() => selection.select(true)} />
          </span>
        )}
        <Suspense fallback={<span className={styles.configure} />}>
          <ViewMenu list={view} />
        </Suspense>
        {view.inbox_id && (
          <Link to={`/inboxes/${view.inbox_id}`} className={styles.configure} title={t('list.configure')}>
            <Icon name="settings" />
            <span className="unseen">{t('list.configure')}</span>
          </Link>
        )}
      </header>
      {selection.isSelecting && (
        <Suspense fallback={<div className={styles.bar} />}>
          <SelectionBar count={selection.ids.size} commands={commands} />
        </Suspense>
      )}
      {view.bucket === 'due' && (
        <div className={styles.filter}>
          <OverdueFilter isOn={!!view.is_overdue} />
        </div>
      )}
      {!!saved?.missing.length && (
        <div className={styles.missing}>
          <Banner tone="warning">{t('views.missing')}</Banner>
        </div>
      )}
      <Searched key={view.saved?.id ?? view.team_id ?? view.inbox_id ?? view.bucket} {...props} />
      <LazyMount when={isChoosingView}>
        <ViewsDrawer open={isChoosingView} close={() => setChoosingView(false)} />
      </LazyMount>
    </section>
  )
}

/** The list, or search results in its place. */
function Searched(props: ListProps) {
  const { t } = useTranslation()
  const [text, write] = useState('')
  const q = useDebounced(text)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between focusable elements inside
    <div className={styles.searched} onKeyDown={moveBetweenHits}>
      <div hidden={props.selection.isSelecting}>
        <SearchBox text={text} write={write} />
      </div>
      {q ? (
        <Suspense fallback={<ListSkeleton label={t('loading')} />}>
          <SearchResults q={q} pathOf={(id) => pathOfView(props.view, id)} />
        </Suspense>
      ) : (
        <Rows {...props} />
      )}
    </div>
  )
}

function Rows({ view, list, selected_id, selection }: ListProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me, account } = useTeam()
  const closing = useClosing()
  const rows = useRef<VirtualListHandle>(null)
  const choose = useChoose(list.data?.conversations, selection)
  useInView(rows, list.data?.conversations, selection.ids.size > 0 ? selection.anchor : selected_id)
  const [loading, setLoading] = useState(false)
  if (list.isPending) return <ListSkeleton label={t('loading')} />
  // The pane beside the list shows why it is empty.
  if (!list.data || isAllDone(list.data)) return null
  const { conversations, next } = list.data

  const more = async () => {
    setLoading(true)
    await loadMore(client, view, me.id).catch((error) => showError('Conversations not loaded', error))
    setLoading(false)
  }
  return (
    <VirtualList ref={rows} className={styles.rows} itemSize={ROW_HEIGHT}>
      {conversations.map((conversation) => (
        <SwipeRow key={conversation.id} conversation={conversation} disabled={selection.isSelecting}>
          <ConversationItem
            view={view}
            conversation={conversation}
            user_id={me.id}
            assignee={account.users.find((user) => user.id === conversation.assignee_id)}
            isSelected={conversation.id === selected_id}
            isClosing={closing.has(conversation.id)}
            isChosen={selection.ids.has(conversation.id)}
            choose={choose}
          />
        </SwipeRow>
      ))}
      {next ? (
        <div key="more" className={styles.more}>
          <Button variant="text" block loading={loading} onClick={more}>
            {t('list.load_more')}
          </Button>
        </div>
      ) : null}
    </VirtualList>
  )
}

/** Selects a conversation, or with Shift a range. Memoized, so that the list's items do not re-render. */
function useChoose(conversations: Conversation[] | undefined, { change }: Selection) {
  const latest = useRef({ conversations, change })
  latest.current = { conversations, change }
  return useCallback((id: string, isRange: boolean) => {
    const ids = latest.current.conversations?.map((conversation) => conversation.id) ?? []
    latest.current.change((chosen) => (isRange ? chooseRange(chosen, ids, id) : toggle(chosen, id)))
  }, [])
}

/** Scrolls the open conversation into view when it was opened by key. */
function useInView(
  rows: RefObject<VirtualListHandle | null>,
  conversations: Conversation[] | undefined,
  id: string | undefined,
) {
  const at = conversations?.findIndex((conversation) => conversation.id === id) ?? -1
  const latest = useRef(at)
  latest.current = at
  // When conversations above move or leave, the list keeps its scroll position.
  useEffect(() => {
    if (id !== undefined && latest.current !== -1) rows.current?.scrollToIndex(latest.current, { align: 'nearest' })
  }, [rows, id])
}

function useSavedView({ saved }: View): ConversationView | undefined {
  return useQuery(viewsQuery).data?.find(({ id }) => id === saved?.id)
}

function useTitle(view: View): string {
  const { t } = useTranslation()
  const saved = useSavedView(view)
  const { data: inboxes } = useQuery(inboxesQuery)
  const { data: teams } = useQuery(teamsQuery)
  if (view.saved) return saved?.name ?? t('views.saved')
  if (view.team_id) return teams?.find((team) => team.id === view.team_id)?.name ?? t('views.teams')
  if (!view.inbox_id) return t(`list.titles.${view.bucket}`)
  return inboxes?.find((inbox) => inbox.id === view.inbox_id)?.name ?? t('views.inboxes')
}
