import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { CountedTag } from '#contract/customers/tags.ts'
import { ConversationsOf } from '../../features/conversations/conversations/list/ConversationsOf.tsx'
import { tagQuery } from '../../features/customers/tags/queries.ts'
import { TagDialog } from '../../features/customers/tags/TagDialog.tsx'
import { TagPill } from '../../features/customers/tags/TagPill.tsx'
import { errorText } from '../../platform/http/errors.ts'
import { isTemporary } from '../../platform/http/request.ts'
import { useDialog } from '../../platform/useDialog.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { Page } from '../../ui/Page.tsx'
import { TableSkeleton } from '../../ui/Table.tsx'
import { CustomersOf } from '../customer/CustomersOf.tsx'

/** One tag: its customers and conversations. */
export function TagPage() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const { data: tag, error, refetch } = useQuery(tagQuery(id))
  if (error && !(tag && isTemporary(error))) {
    return (
      <LoadFailed
        isPage
        title={t('tags.failed')}
        text={errorText(error)}
        retryLabel={t('retry')}
        retry={refetch}
        back={{ to: '/tags', label: t('tags.back') }}
      />
    )
  }
  if (tag) return <Loaded key={tag.id} tag={tag} />
  return (
    <Page title={t('screens.tag')}>
      <TableSkeleton label={t('loading')} />
    </Page>
  )
}

function Loaded({ tag }: { tag: CountedTag }) {
  const { t } = useTranslation()
  const editing = useDialog()
  return (
    <Page
      back={<BackLink to="/tags">{t('tags.back')}</BackLink>}
      title={tag.name}
      badge={<TagPill tag={tag} />}
      text={tag.description ?? undefined}
      actions={
        <Button variant="primary" onClick={() => editing.open()}>
          {t('edit')}
        </Button>
      }
    >
      <Block wide title={t('tags.customers')}>
        <CustomersOf filter={{ tag_id: tag.id }} />
      </Block>
      <Block wide title={t('tags.conversations')}>
        <ConversationsOf named filter={{ tag_id: tag.id }} />
      </Block>
      <TagDialog key={editing.turn} tag={tag} open={editing.isOpen} close={editing.close} />
    </Page>
  )
}
