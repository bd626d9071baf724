import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeletedConversation } from '#contract/conversations/deleted-conversations.ts'
import { AdminsOnly } from '../../features/accounts/accounts/AdminsOnly.tsx'
import { ConversationDialog } from '../../features/conversations/conversations/list/ConversationDialog.tsx'
import { DeletedTable } from '../../features/conversations/deleted-conversations/DeletedTable.tsx'
import { deletedConversationsQuery } from '../../features/conversations/deleted-conversations/queries.ts'
import { useDebounced } from '../../platform/forms/useDebounced.ts'
import { QueryView } from '../../platform/QueryView.tsx'
import { useDialog } from '../../platform/useDialog.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { PageBesideViews } from '../inbox/views/PageBesideViews.tsx'

/** Where admins find, read, restore and destroy deleted conversations, beside the views of the inbox. */
export function DeletedPage() {
  return (
    <AdminsOnly>
      <DeletedConversations />
    </AdminsOnly>
  )
}

function DeletedConversations() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const q = useDebounced(text)
  return (
    <PageBesideViews title={t('deleted_conversations.title')} text={t('deleted_conversations.text')}>
      <SearchInput label={t('deleted_conversations.search')} value={text} onChange={setText} />
      <List q={q} />
    </PageBesideViews>
  )
}

function List({ q }: { q: string }) {
  const { t } = useTranslation()
  const reading = useDialog<DeletedConversation>()
  const pages = useInfiniteQuery(deletedConversationsQuery(q))
  if (!pages.data) return <QueryView query={pages} failed={t('deleted_conversations.failed')} />
  const conversations = pages.data.pages.flatMap(({ data }) => data)
  return (
    <>
      {conversations.length === 0 && <Nothing isSearch={q !== ''} />}
      {conversations.length > 0 && <DeletedTable conversations={conversations} read={reading.open} />}
      {pages.hasNextPage && (
        <Button block variant="text" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          {t('list.load_more')}
        </Button>
      )}
      {reading.item && (
        <ConversationDialog
          key={reading.turn}
          conversation={reading.item}
          open={reading.isOpen}
          close={reading.close}
        />
      )}
    </>
  )
}

function Nothing({ isSearch }: { isSearch: boolean }) {
  const { t } = useTranslation()
  if (isSearch) return <EmptyState drawing="lost" title={t('deleted_conversations.nothing')} />
  return (
    <EmptyState drawing="rest" title={t('deleted_conversations.none')} text={t('deleted_conversations.none_text')} />
  )
}
