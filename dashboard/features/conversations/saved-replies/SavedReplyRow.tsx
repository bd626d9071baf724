import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { SavedReply } from '#contract/conversations/saved-replies.ts'
import { previewOf } from '#contract/text/plain.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { deleteReply } from './queries.ts'
import styles from './SavedRepliesPage.module.css'

export function SavedReplyRow({ reply, edit }: { reply: SavedReply; edit: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const remove = () => deleteReply(client, reply.id).catch((error) => showError('Saved reply not deleted', error))
  return (
    <tr>
      <td>
        <Truncate text={`/${reply.name}`} />
      </td>
      <td>
        <div className={styles.content} dir="auto">
          {previewOf({ body: reply.content, customer_id: null })}
        </div>
      </td>
      <td>
        <Button variant="text" size="small" aria-label={`${t('edit')} /${reply.name}`} onClick={edit}>
          {t('edit')}
        </Button>
        <Confirm question={t('saved_replies.confirm', { name: reply.name })} yes={t('yes')} no={t('no')} run={remove}>
          <Button variant="text" size="small" aria-label={`${t('delete')} /${reply.name}`}>
            {t('delete')}
          </Button>
        </Confirm>
      </td>
    </tr>
  )
}
