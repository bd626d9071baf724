import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import type { SavedReply } from '#contract/conversations/saved-replies.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Drawing } from '../../../ui/Drawing.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { ShowMore, usePortion } from '../../../ui/Portion.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { Table } from '../../../ui/Table.tsx'
import { savedRepliesQuery, searchReplies } from './queries.ts'
import styles from './SavedRepliesPage.module.css'
import { SavedReplyDialog } from './SavedReplyDialog.tsx'
import { SavedReplyRow } from './SavedReplyRow.tsx'

/** Texts with a short name that everybody on the team can insert. */
export function SavedRepliesPage() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const { dialogs, create, edit } = useDialogs()
  return (
    <Page
      title={t('saved_replies.title')}
      text={t('saved_replies.text')}
      actions={
        <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={create}>
          {t('saved_replies.new')}
        </Button>
      }
    >
      <SearchInput label={t('saved_replies.search')} value={text} onChange={setText} />
      <Replies replies={useQuery(savedRepliesQuery)} text={text} create={create} edit={edit} />
      {dialogs}
    </Page>
  )
}

interface RepliesProps {
  replies: UseQueryResult<SavedReply[]>
  text: string
  create: () => void
  edit: (reply: SavedReply) => void
}

function Replies({ replies, text, create, edit }: RepliesProps) {
  const { t } = useTranslation()
  if (!replies.data) return <QueryView query={replies} failed={t('saved_replies.failed')} />
  if (replies.data.length === 0)
    return <EmptyState drawing="talk" title={t('saved_replies.none')} text={t('saved_replies.text')} />
  const matches = searchReplies(replies.data, text)
  if (matches.length === 0) return <NothingFound create={create} />
  return <ReplyTable replies={matches} edit={edit} />
}

function ReplyTable({ replies, edit }: { replies: SavedReply[]; edit: RepliesProps['edit'] }) {
  const { t } = useTranslation()
  const { shown, remaining, showMore } = usePortion(replies)
  const columns = [t('saved_replies.name'), t('saved_replies.content'), t('saved_replies.actions')] as const
  return (
    <>
      <Table label={t('saved_replies.title')} columns={columns}>
        <Each name="reply" items={shown} keyOf={(reply) => reply.id}>
          {(reply) => <SavedReplyRow reply={reply} edit={() => edit(reply)} />}
        </Each>
      </Table>
      <ShowMore remaining={remaining} label={t('show_more', { count: remaining })} showMore={showMore} />
    </>
  )
}

function NothingFound({ create }: { create: () => void }) {
  return (
    <div className={styles.nothing}>
      <Drawing name="talk" />
      <p role="status">
        <Trans
          i18nKey="saved_replies.nothing"
          components={{ here: <button type="button" className={styles.here} onClick={create} /> }}
        />
      </p>
    </div>
  )
}

/** The dialogs. */
function useDialogs() {
  const creating = useDialog()
  const editing = useDialog<SavedReply>()
  return {
    create: () => creating.open(),
    edit: editing.open,
    dialogs: (
      <>
        <SavedReplyDialog key={`new ${creating.turn}`} open={creating.isOpen} close={creating.close} />
        {editing.item && (
          <SavedReplyDialog key={editing.turn} reply={editing.item} open={editing.isOpen} close={editing.close} />
        )}
      </>
    ),
  }
}
