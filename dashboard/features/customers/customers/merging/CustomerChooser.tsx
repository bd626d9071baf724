import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDebounced } from '../../../../platform/forms/useDebounced.ts'
import { ComboBox } from '../../../../ui/ComboBox.tsx'
import { customerListQuery } from '../customer-list.ts'
import { fullName } from '../editing/full-name.ts'

const DEBOUNCE_MS = 400

interface ChooserProps {
  label: string
  /** Ids to leave out. */
  without: readonly string[]
  value: string | null
  onChange: (id: string | null) => void
  /** Nothing is fetched until this is true. */
  wanted: boolean
}

/** Finds a customer by text. */
export function CustomerChooser({ label, without, value, onChange, wanted }: ChooserProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed, DEBOUNCE_MS)
  const query = useQuery({ ...customerListQuery(q ? { q } : {}), enabled: wanted })
  const options = (query.data?.data ?? [])
    .filter((customer) => !without.includes(customer.id))
    .map((customer) => ({ value: customer.id, label: fullName(customer) }))
  return (
    <ComboBox
      label={label}
      onSearch={setTyped}
      autoFocus
      clearable
      placeholder={t('customers.choose')}
      value={value}
      onChange={onChange}
      options={options}
      loading={query.isFetching}
    />
  )
}
