import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ComboBox } from '../../../../ui/ComboBox.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { removeFilter, savedFiltersQuery, saveFilter } from '../customer-list.ts'
import { toSaved } from './address-filters.ts'
import styles from './CustomersPage.module.css'

interface SavedProps {
  params: URLSearchParams
  apply: (query: Record<string, string>) => void
}

/** The team's saved filters. The active one can be deleted, an unsaved one can be saved. */
export function SavedFilters({ params, apply }: SavedProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [naming, setNaming] = useState(false)
  const { data: saved = [] } = useQuery(savedFiltersQuery)
  const query = toSaved(params)
  const current = saved.find((filter) => isSame(filter.query, query))
  const remove = async () => {
    if (current) await removeFilter(client, current).catch((error) => showError('Filter not deleted', error))
  }
  return (
    <div className={styles.saved}>
      {saved.length > 0 && (
        <div className={styles.choose}>
          <ComboBox
            hideLabel
            clearable
            label={t('customers.saved_filters')}
            placeholder={t('customers.saved_filters')}
            value={current?.id ?? null}
            onChange={(id) => apply(saved.find((filter) => filter.id === id)?.query ?? {})}
            options={saved.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      )}
      {current ? (
        <Confirm
          question={t('customers.confirm_filter', { name: current.name })}
          yes={t('yes')}
          no={t('no')}
          run={remove}
        >
          <Button variant="text">{t('customers.delete_filter')}</Button>
        </Confirm>
      ) : (
        Object.keys(query).length > 0 && (
          <Button variant="text" onClick={() => setNaming(true)}>
            {t('customers.save_filter')}
          </Button>
        )
      )}
      <FilterDialog query={query} open={naming} close={() => setNaming(false)} />
    </div>
  )
}

function isSame(a: Record<string, string>, b: Record<string, string>): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

interface DialogProps {
  query: Record<string, string>
  open: boolean
  close: () => void
}

function FilterDialog({ query, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const saving = useSaving(async () => {
    await saveFilter(client, name, query)
    setName('')
    close()
  })
  return (
    <FormDialog
      title={t('customers.save_filter')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <TextField label={t('customers.filter_name')} autoFocus value={name} onChange={setName} />
    </FormDialog>
  )
}
