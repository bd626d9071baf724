import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Inbox } from '#contract/widget/inboxes.ts'
import { isTemporary } from '../../../platform/http/request.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { FirstAnswersBlock } from '../../help/answers/FirstAnswersBlock.tsx'
import { InboxHoursEditor } from '../working-hours/InboxHoursEditor.tsx'
import { Channels } from './Channels.tsx'
import { InboxTools } from './InboxTools.tsx'
import { inboxQuery, setFirstAnswers, setInboxHours } from './queries.ts'

/** One inbox: its purpose, the channels that conversations arrive by, and the reply channels. */
export function InboxPage() {
  const client = useQueryClient()
  const { t } = useTranslation()
  const { inbox_id = '' } = useParams()
  const { data: inbox, error, refetch } = useQuery(inboxQuery(client, inbox_id))
  // After a temporary failure, the data already loaded stays.
  if (error && !(inbox && isTemporary(error))) {
    const text = error.message || t('inboxes.unknown_error')
    return (
      <LoadFailed
        isPage
        title={t('inboxes.failed')}
        text={text}
        retryLabel={t('retry')}
        retry={refetch}
        back={{ to: '/inboxes', label: t('inboxes.configure_all') }}
      />
    )
  }
  if (inbox) return <Loaded key={inbox.id} inbox={inbox} />
  return (
    <Page title={t('inboxes.one')}>
      <TableSkeleton label={t('loading')} />
    </Page>
  )
}

function Loaded({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me } = useTeam()
  const isAdmin = me.role === 'admin'
  return (
    <Page
      title={inbox.name}
      badge={inbox.is_primary && <Pill tone="accent">{t('inboxes.primary')}</Pill>}
      text={inbox.description || t('inboxes.no_description')}
      actions={
        <>
          {isAdmin && <InboxTools inbox={inbox} />}
          {isAdmin && <ButtonLink to="/inboxes">{t('inboxes.configure_all')}</ButtonLink>}
          <ButtonLink variant="primary" to={`/inboxes/${inbox.id}/conversations`}>
            {t('inboxes.view_conversations')}
          </ButtonLink>
        </>
      }
    >
      <Channels inbox_id={inbox.id} kind="source" />
      <Channels inbox_id={inbox.id} kind="reply" />
      <Block title={t('hours.title')} text={t('hours.inbox_text')}>
        <InboxHoursEditor
          hours={inbox.working_hours}
          isAdmin={isAdmin}
          save={(hours) => setInboxHours(client, inbox.id, hours)}
        />
      </Block>
      <FirstAnswersBlock
        inbox={inbox}
        isAdmin={isAdmin}
        save={(first_answers) => setFirstAnswers(client, inbox.id, first_answers)}
      />
    </Page>
  )
}
