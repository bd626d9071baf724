import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { download } from '../../../../platform/http/download.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { useDialog } from '../../../../platform/useDialog.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Check } from '../../../../ui/Check.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { MultiSelect } from '../../../../ui/MultiSelect.tsx'
import { Page } from '../../../../ui/Page.tsx'
import { SearchInput } from '../../../../ui/SearchInput.tsx'
import { useMayManageCustomers } from '../../../accounts/accounts/account.ts'
import { tagsQuery } from '../../tags/queries.ts'
import { NewCustomerDialog } from '../editing/NewCustomerDialog.tsx'
import { type Filters, toQuery, useAddressFilters } from './address-filters.ts'
import styles from './CustomersPage.module.css'
import { PagedCustomers } from './PagedCustomers.tsx'
import { SavedFilters } from './SavedFilters.tsx'
import { SortField } from './SortField.tsx'
import { type Columns, useColumns } from './useColumns.ts'

const ImportDialog = lazyComponent(async () => (await import('../importing/ImportDialog.tsx')).ImportDialog)

export function CustomersPage() {
  const { t } = useTranslation()
  const address = useAddressFilters()
  const creating = useDialog()
  const [importing, setImporting] = useState(false)
  const { filters, change } = address
  const columns = useColumns()
  const mayManage = useMayManageCustomers()
  return (
    <Page
      title={t('customers.title')}
      text={mayManage ? t('customers.text') : `${t('customers.text')} ${t('customers.admins_only')}`}
      actions={
        <>
          <Button onClick={() => setImporting(true)}>{t('customers.import')}</Button>
          {mayManage && <Button onClick={() => exportCustomers(filters)}>{t('customers.export')}</Button>}
          <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={() => creating.open()}>
            {t('customers.new')}
          </Button>
        </>
      }
    >
      <FilterBar address={address} columns={columns} />
      <PagedCustomers
        query={toQuery(filters)}
        attributes={columns.all.filter(
          (attribute) => columns.shown.includes(attribute) || attribute.key === filters.sort?.attribute,
        )}
        turn={(page, cursor) => change({ page, cursor })}
        nobody={<NoCustomers filters={filters} />}
      />
      <NewCustomerDialog key={creating.turn} open={creating.isOpen} close={creating.close} />
      <LazyMount when={importing}>
        <ImportDialog open={importing} close={() => setImporting(false)} />
      </LazyMount>
    </Page>
  )
}

interface BarProps {
  address: ReturnType<typeof useAddressFilters>
  columns: Columns
}

function FilterBar({ address, columns }: BarProps) {
  const { t } = useTranslation()
  const { filters, change } = address
  return (
    <div className={styles.filters}>
      <SearchInput label={t('customers.search')} value={address.typed} onChange={address.type} />
      <TagFilter chosen={filters.tag_ids} choose={(tag_ids) => change({ tag_ids })} />
      <Check
        label={t('customers.include_anonymous')}
        checked={filters.include_anonymous}
        onChange={(include_anonymous) => change({ include_anonymous })}
      />
      <SortField sort={filters.sort} choose={(sort) => change({ sort })} attributes={columns.all} />
      {columns.all.length > 0 && (
        <div className={styles.tags}>
          <MultiSelect
            hideLabel
            label={t('customers.columns')}
            placeholder={t('customers.columns')}
            value={columns.shown.map(({ key }) => key)}
            onChange={columns.choose}
            options={columns.all.map(({ key, name }) => ({ value: key, label: name }))}
          />
        </div>
      )}
      <SavedFilters params={address.params} apply={address.apply} />
    </div>
  )
}

async function exportCustomers(filters: Filters) {
  try {
    await download(customerProfiles.export, toQuery({ ...filters, page: 1 }), 'customers.csv')
  } catch (error) {
    showError('Customers not exported', error)
  }
}

function TagFilter({ chosen, choose }: { chosen: string[]; choose: (ids: string[]) => void }) {
  const { t } = useTranslation()
  const { data: tags = [], isPending } = useQuery(tagsQuery)
  const unknown = chosen.filter((chosen_id) => !tags.some(({ id }) => id === chosen_id))
  const options = [
    ...tags.map(({ id, name }) => ({ value: id, label: name })),
    // A bookmarked filter may contain a deleted tag.
    ...unknown.map((id) => ({ value: id, label: isPending ? '…' : t('customers.deleted_tag') })),
  ]
  return (
    <div className={styles.tags}>
      <MultiSelect
        hideLabel
        label={t('customers.filter_tags')}
        placeholder={t('customers.filter_tags')}
        loading={isPending}
        value={chosen}
        onChange={choose}
        options={options}
      />
    </div>
  )
}

function NoCustomers({ filters }: { filters: Filters }) {
  const { t } = useTranslation()
  const isFiltered = filters.q !== '' || filters.tag_ids.length > 0 || !filters.include_anonymous
  return isFiltered ? (
    <EmptyState drawing="lost" title={t('customers.nothing')} text={t('customers.nothing_text')} />
  ) : (
    <EmptyState drawing="talk" title={t('customers.none')} text={t('customers.none_text')} />
  )
}
