import { useTranslation } from 'react-i18next'
import { ConversationsOf } from '../../features/conversations/conversations/list/ConversationsOf.tsx'
import { PageBesideViews } from '../inbox/views/PageBesideViews.tsx'

/** The conversations of test chats, which are in no other list. */
export function TestChatsPage() {
  const { t } = useTranslation()
  return (
    <PageBesideViews title={t('test_conversations.title')} text={t('test_conversations.text')}>
      <ConversationsOf named filter={{ source: 'sandbox' }} />
    </PageBesideViews>
  )
}
