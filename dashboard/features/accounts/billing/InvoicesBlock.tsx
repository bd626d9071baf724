import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Invoice } from '#contract/accounts/billing.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { dayTitle } from '../../../platform/times.ts'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Table } from '../../../ui/Table.tsx'
import styles from './Billing.module.css'
import { formatMoney } from './prices.ts'
import { invoicesQuery } from './queries.ts'

export function InvoicesBlock() {
  const { t } = useTranslation()
  const query = useQuery({ ...invoicesQuery, refetchOnMount: 'always' })
  return (
    <Block wide title={t('billing.invoices')}>
      {query.data ? (
        <Invoices invoices={query.data} />
      ) : (
        <QueryView query={query} failed={t('billing.invoices_failed')} />
      )}
    </Block>
  )
}

function Invoices({ invoices }: { invoices: Invoice[] }) {
  const { t } = useTranslation()
  if (invoices.length === 0) return <p className={styles.quiet}>{t('billing.no_invoices')}</p>
  return (
    <Table
      label={t('billing.invoices')}
      columns={[t('billing.invoice'), t('billing.date'), t('billing.amount'), t('billing.status'), t('billing.view')]}
    >
      <Each name="invoice" items={invoices} keyOf={(invoice) => invoice.id}>
        {(invoice) => <Row invoice={invoice} />}
      </Each>
    </Table>
  )
}

const STATUSES = ['open', 'paid', 'uncollectible', 'void', 'draft'] as const

function Row({ invoice: { number, id, created, total, currency, status, url } }: { invoice: Invoice }) {
  const { t } = useTranslation()
  const knownStatus = STATUSES.find((each) => each === status)
  return (
    <tr>
      <td>{number ?? id}</td>
      <td>{dayTitle(new Date(created * 1000).toISOString())}</td>
      <td>{formatMoney(total, currency)}</td>
      <td>
        <Pill tone={status === 'paid' ? 'success' : status === 'open' ? 'warning' : 'neutral'}>
          {knownStatus ? t(`billing.invoice_statuses.${knownStatus}`) : (status ?? '–')}
        </Pill>
      </td>
      <td>
        {url && (
          <a href={url} target="_blank" rel="noreferrer">
            {t('billing.view')}
            <span className="unseen"> {number ?? id}</span>
          </a>
        )}
      </td>
    </tr>
  )
}
