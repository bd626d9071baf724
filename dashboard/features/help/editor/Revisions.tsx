import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { restoreRevision, revisionsQuery } from '../articles/queries.ts'
import styles from './Editor.module.css'

interface RevisionsProps {
  id: string
  language: string
  /** Saves what is typed, so that it is not lost without a trace in the next revision. */
  flush: () => Promise<void>
}

/** What was published, when and by whom. Each can become the draft again. */
export function Revisions({ id, language, flush }: RevisionsProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { account } = useTeam()
  const revisions = useQuery(revisionsQuery(id, language))
  const nameOf = (user_id: number | null) => userName(account.users.find((user) => user.id === user_id) ?? null)
  const restore = async (revision_id: string) => {
    await flush()
    await restoreRevision(client, revision_id).catch((error) => showError('Revision not restored', error))
  }
  return (
    <Block wide title={t('help.revisions')}>
      {!revisions.data && <QueryView query={revisions} failed={t('help.revisions_failed')} />}
      {revisions.data?.length === 0 && <p className={styles.quiet}>{t('help.no_revisions')}</p>}
      {revisions.data && revisions.data.length > 0 && (
        <Table
          label={t('help.revisions')}
          columns={[t('help.published_at'), t('help.title'), t('help.by'), t('help.restore')]}
        >
          <Each name="revision" items={revisions.data} keyOf={(revision) => revision.id}>
            {({ id: revision_id, title, created_at, user_id, is_current }) => (
              <tr>
                <td>{messageTime(created_at)}</td>
                <td>
                  <Truncate text={title} /> {is_current && <Pill tone="success">{t('help.current')}</Pill>}
                </td>
                <td>{nameOf(user_id)}</td>
                <td>
                  <Confirm
                    question={t('help.restore_question')}
                    yes={t('yes')}
                    no={t('no')}
                    run={() => restore(revision_id)}
                  >
                    <Button
                      variant="text"
                      size="small"
                      aria-label={`${t('help.restore')} ${title} ${messageTime(created_at)}`}
                    >
                      {t('help.restore')}
                    </Button>
                  </Confirm>
                </td>
              </tr>
            )}
          </Each>
        </Table>
      )}
    </Block>
  )
}
