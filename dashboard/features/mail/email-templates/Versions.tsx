import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { TemplateKind } from '#contract/mail/email-templates.ts'
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
import { versionsQuery } from './queries.ts'
import styles from './Templates.module.css'

interface VersionsProps {
  kind: TemplateKind
  restore: (version_id: string) => Promise<void>
}

/** Earlier versions, which can be restored. */
export function Versions({ kind, restore }: VersionsProps) {
  const { t } = useTranslation()
  const { account } = useTeam()
  const versions = useQuery(versionsQuery(kind))
  const nameOf = (id: number | null) => userName(account.users.find((user) => user.id === id) ?? null)
  return (
    <Block wide title={t('templates.versions')}>
      {!versions.data && <QueryView query={versions} failed={t('templates.versions_failed')} />}
      {versions.data?.length === 0 && <p className={styles.quiet}>{t('templates.no_versions')}</p>}
      {versions.data && versions.data.length > 0 && (
        <Table
          label={t('templates.versions')}
          columns={[t('templates.when'), t('templates.subject'), t('templates.by'), t('templates.restore')]}
        >
          <Each name="version" items={versions.data} keyOf={({ id }) => id}>
            {({ id, subject, created_at, user_id, is_current }) => (
              <tr>
                <td>{messageTime(created_at)}</td>
                <td>
                  <Truncate text={subject} />
                </td>
                <td>{nameOf(user_id)}</td>
                <td>
                  {is_current ? (
                    <Pill tone="success">{t('templates.current')}</Pill>
                  ) : (
                    <Confirm
                      question={t('templates.restore_confirm')}
                      yes={t('yes')}
                      no={t('no')}
                      run={() => restore(id)}
                    >
                      <Button
                        variant="text"
                        size="small"
                        aria-label={`${t('templates.restore')} ${subject} ${messageTime(created_at)}`}
                      >
                        {t('templates.restore')}
                      </Button>
                    </Confirm>
                  )}
                </td>
              </tr>
            )}
          </Each>
        </Table>
      )}
    </Block>
  )
}
