import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Company } from '#contract/customers/companies.ts'
import { useDebounced } from '../../../platform/forms/useDebounced.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { OptionalCell, Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { foundCompaniesQuery } from './queries.ts'
import { WebLink } from './WebLink.tsx'

/** How many are loaded at first; each "more" doubles it. */
const FIRST = 50

/** The companies that customers work for. */
export function CompaniesPage() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const q = useDebounced(text)
  return (
    <Page
      title={t('companies.title')}
      badge={<Pill tone="accent">{t('companies.beta')}</Pill>}
      text={t('companies.text')}
      actions={<NewCompany />}
    >
      <SearchInput label={t('companies.search')} value={text} onChange={setText} />
      <Companies key={q} q={q} />
    </Page>
  )
}

function NewCompany() {
  const { t } = useTranslation()
  return (
    <ButtonLink variant="primary" icon={<Icon name="plus" size={18} />} to="/companies/new">
      {t('companies.new')}
    </ButtonLink>
  )
}

function Companies({ q }: { q: string }) {
  const { t } = useTranslation()
  const [limit, setLimit] = useState(FIRST)
  const query = useQuery(foundCompaniesQuery(q, limit))
  const { data: companies, isPlaceholderData } = query
  if (!companies) return <QueryView query={query} failed={t('companies.list_failed')} />
  if (companies.length === 0 && q) return <EmptyState drawing="lost" title={t('companies.nothing')} />
  if (companies.length === 0) {
    return <EmptyState drawing="soon" title={t('companies.none')} text={t('companies.none_text')} />
  }
  return (
    <>
      <CompanyTable companies={companies} />
      {(companies.length === limit || isPlaceholderData) && (
        <Button block variant="text" loading={isPlaceholderData} onClick={() => setLimit(2 * limit)}>
          {t('list.load_more')}
        </Button>
      )}
    </>
  )
}

function CompanyTable({ companies }: { companies: Company[] }) {
  const { t } = useTranslation()
  const columns = [
    t('companies.name'),
    t('companies.description'),
    t('companies.website'),
    t('companies.view'),
  ] as const
  return (
    <Table label={t('companies.title')} columns={columns}>
      <Each name="company" items={companies} keyOf={({ id }) => id}>
        {({ id, name, description, website_url }) => (
          <tr>
            <td>
              <Link to={`/companies/${id}`}>
                <Truncate text={name} />
              </Link>
            </td>
            <OptionalCell>{description && <Truncate text={description} lines={3} />}</OptionalCell>
            <OptionalCell>{website_url && <WebLink url={website_url} />}</OptionalCell>
            <td>
              <Link to={`/companies/${id}`}>
                {t('companies.view')}
                <span className="unseen"> {name}</span>
              </Link>
            </td>
          </tr>
        )}
      </Each>
    </Table>
  )
}
