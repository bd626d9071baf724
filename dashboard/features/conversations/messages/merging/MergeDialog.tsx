import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { displayName } from '#contract/customers/customers.ts'
import { previewOf } from '#contract/text/plain.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { errorText } from '../../../../platform/http/errors.ts'
import { messageTime, useAges } from '../../../../platform/times.ts'
import { Each } from '../../../../ui/Each.tsx'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { LoadFailed } from '../../../../ui/LoadFailed.tsx'
import { notify } from '../../../../ui/notices.ts'
import styles from './Merging.module.css'
import { candidatesQuery, mergeConversation } from './queries.ts'
import { useUndoMove } from './useUndoMove.ts'

interface DialogProps {
  conversation: Conversation
  open: boolean
  close: () => void
}

/** Chooses the conversation that becomes part of this one. Can be undone. */
export function MergeDialog({ conversation, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const undo = useUndoMove(conversation.id)
  const candidates = useQuery({ ...candidatesQuery(conversation.id), enabled: open })
  const [chosen, setChosen] = useState<string | null>(null)
  const saving = useSaving(async () => {
    if (!chosen) throw new Error(t('merging.choose_first'))
    await mergeConversation(client, chosen, conversation.id)
    close()
    notify({ kind: 'success', title: t('merging.done'), action: { label: t('undo'), keys: 'mod+z', run: undo } })
  })
  const name = displayName(conversation.customer)
  const source = t(`sources.${conversation.source}`)
  return (
    <FormDialog
      title={t('merging.title')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('merging.run')}
      {...saving}
    >
      {candidates.isError && (
        <LoadFailed
          title={t('merging.not_listed')}
          text={errorText(candidates.error)}
          retryLabel={t('retry')}
          retry={() => candidates.refetch()}
        />
      )}
      {candidates.isPending && <p>{t('loading')}</p>}
      {candidates.data?.length === 0 && <p>{t('merging.none', { name })}</p>}
      {!!candidates.data?.length && (
        <fieldset className={styles.choices}>
          <legend className="unseen">{t('merging.title')}</legend>
          <Each name="conversation" items={candidates.data} keyOf={({ id }) => id}>
            {(candidate) => (
              <Candidate
                conversation={candidate}
                isChosen={candidate.id === chosen}
                choose={() => setChosen(candidate.id)}
              />
            )}
          </Each>
        </fieldset>
      )}
      <p>{t('merging.text', { source })}</p>
    </FormDialog>
  )
}

interface CandidateProps {
  conversation: Conversation
  isChosen: boolean
  choose: () => void
}

function Candidate({ conversation, isChosen, choose }: CandidateProps) {
  const { t } = useTranslation()
  const id = useId()
  const ago = useAges()
  const { last_activity_at, subject, status, source } = conversation
  const newest = conversation.messages.at(-1)
  const preview = newest ? previewOf(newest) || t('list.attachment') : t('list.empty_conversation')
  return (
    <label className={styles.choice} htmlFor={id} data-checked={isChosen || undefined}>
      <input type="radio" id={id} name="candidate" checked={isChosen} onChange={choose} />
      <span className={styles.about}>
        <span className={styles.words} dir="auto">
          {subject || preview}
        </span>
        <span className={styles.facts}>
          {t(`sources.${source}`)} · {t(`conversation.statuses.${status}`)} ·{' '}
          <time dateTime={last_activity_at} title={messageTime(last_activity_at)}>
            {ago(last_activity_at, 'long')}
          </time>
        </span>
      </span>
    </label>
  )
}
