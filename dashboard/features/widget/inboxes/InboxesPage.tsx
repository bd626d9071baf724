import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { OptionalCell, Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { AddInboxDialog } from './AddInboxDialog.tsx'
import styles from './InboxesPage.module.css'
import { inboxesQuery } from './queries.ts'

export function InboxesPage() {
  const { t } = useTranslation()
  const adding = useDialog()
  return (
    <AdminsOnly>
      <Page
        title={t('inboxes.title')}
        text={t('inboxes.text')}
        actions={
          <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={() => adding.open()}>
            {t('inboxes.new')}
          </Button>
        }
      >
        <Inboxes />
        <AddInboxDialog key={adding.turn} open={adding.isOpen} close={adding.close} />
      </Page>
    </AdminsOnly>
  )
}

function Inboxes() {
  const { t } = useTranslation()
  const query = useQuery({ ...inboxesQuery, refetchOnMount: 'always' })
  const { data: inboxes } = query
  if (!inboxes) return <QueryView query={query} failed={t('inboxes.list_failed')} />
  const columns = [t('inboxes.name'), t('inboxes.description'), t('inboxes.configure')] as const
  return (
    <Table label={t('inboxes.title')} columns={columns}>
      <Each name="inbox" items={inboxes} keyOf={(inbox) => inbox.id}>
        {(inbox) => (
          <tr>
            <td>
              <span className={styles.name}>
                <Truncate text={inbox.name} />
                {inbox.is_primary && <Pill tone="accent">{t('inboxes.primary')}</Pill>}
              </span>
            </td>
            <OptionalCell>{inbox.description && <Truncate text={inbox.description} lines={3} />}</OptionalCell>
            <td>
              <Link to={`/inboxes/${inbox.id}`} className={styles.configure}>
                {t('inboxes.configure')}
                <span className="unseen"> {inbox.name}</span>
              </Link>
            </td>
          </tr>
        )}
      </Each>
    </Table>
  )
}
