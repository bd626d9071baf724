import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { errorText } from '../../errors.ts'
import { Cut } from '../../ui/Cut.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { Page } from '../../ui/Page.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { Table, TableSkeleton } from '../../ui/Table.tsx'
import { companiesQuery } from './companies.ts'
import { WebLink } from './WebLink.tsx'

/** The companies that customers work for. */
export function CompaniesPage() {
  const { t } = useTranslation()
  return (
    <Page
      title={t('companies.title')}
      sign={<Pill tone="accent">{t('companies.beta')}</Pill>}
      text={t('companies.text')}
      actions={<NewCompany />}
    >
      <Companies />
    </Page>
  )
}

function NewCompany() {
  const { t } = useTranslation()
  return (
    <Link to="/companies/new">
      <Button type="primary" tabIndex={-1}>
        {t('companies.new')}
      </Button>
    </Link>
  )
}

function Companies() {
  const { t } = useTranslation()
  const { data: companies, isPending, error, refetch } = useQuery(companiesQuery)
  if (isPending) return <TableSkeleton label={t('loading')} />
  if (!companies) {
    return (
      <LoadFailed title={t('companies.list_failed')} text={errorText(error)} retryLabel={t('retry')} retry={refetch} />
    )
  }
  if (companies.length === 0) {
    return <EmptyState drawing="soon" title={t('companies.none')} text={t('companies.none_text')} />
  }
  const columns = [
    t('companies.name'),
    t('companies.description'),
    t('companies.website'),
    t('companies.view'),
  ] as const
  return (
    <Table label={t('companies.title')} columns={columns}>
      {companies.map(({ id, name, description, website_url }) => (
        <tr key={id}>
          <td>
            <Cut text={name} />
          </td>
          <td>
            <Cut text={description || '--'} lines={3} />
          </td>
          <td>{website_url ? <WebLink url={website_url} /> : '--'}</td>
          <td>
            <Link to={`/companies/${id}`}>
              {t('companies.view')}
              <span className="unseen"> {name}</span>
            </Link>
          </td>
        </tr>
      ))}
    </Table>
  )
}
