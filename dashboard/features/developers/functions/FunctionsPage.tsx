import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Lambda } from '#contract/developers/functions.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { OptionalCell, Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import styles from './Functions.module.css'
import { NewFunctionDialog } from './NewFunctionDialog.tsx'
import { functionsQuery } from './queries.ts'
import { StatusPill } from './StatusPill.tsx'

export function FunctionsPage() {
  return (
    <AdminsOnly>
      <Functions />
    </AdminsOnly>
  )
}

function Functions() {
  const { t } = useTranslation()
  const creating = useDialog()
  return (
    <Page
      title={t('functions.title')}
      text={t('functions.text')}
      actions={
        <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={creating.open}>
          {t('functions.new')}
        </Button>
      }
    >
      <FunctionTable functions={useQuery(functionsQuery)} />
      <NewFunctionDialog key={creating.turn} open={creating.isOpen} close={creating.close} />
    </Page>
  )
}

function FunctionTable({ functions }: { functions: UseQueryResult<Lambda[]> }) {
  const { t } = useTranslation()
  if (!functions.data) return <QueryView query={functions} failed={t('functions.failed')} />
  if (functions.data.length === 0) {
    return <EmptyState drawing="rest" title={t('functions.none')} text={t('functions.none_text')} />
  }
  const columns = [
    t('functions.name'),
    t('functions.description'),
    t('functions.status'),
    t('functions.actions'),
  ] as const
  return (
    <Table label={t('functions.title')} columns={columns}>
      <Each name="function" items={functions.data} keyOf={(item) => item.id}>
        {(item) => (
          <tr>
            <td>
              <Truncate text={item.name} />
            </td>
            <OptionalCell>{item.description && <Truncate text={item.description} lines={2} />}</OptionalCell>
            <td>
              <StatusPill status={item.status} />
            </td>
            <td>
              <Link
                className={styles.link}
                to={`/functions/${item.id}`}
                aria-label={`${t('functions.configure')} ${item.name}`}
              >
                {t('functions.configure')}
              </Link>
            </td>
          </tr>
        )}
      </Each>
    </Table>
  )
}
