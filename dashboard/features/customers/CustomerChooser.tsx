import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDebounced } from '../../platform/forms/useDebounced.ts'
import { customerListQuery } from './customer-list.ts'
import { fullName } from './full-name.ts'

const DEBOUNCE_MS = 400

interface ChooserProps {
  id: string
  /** Ids of those who cannot be chosen. */
  without: readonly string[]
  value: string | undefined
  onChange: (id: string | undefined) => void
  /** Whether it is on screen; before that nobody is asked for. */
  wanted: boolean
}

/** Finds one customer by what is typed. */
export function CustomerChooser({ id, without, value, onChange, wanted }: ChooserProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed, DEBOUNCE_MS)
  const found = useQuery({ ...customerListQuery(q ? { q } : {}), enabled: wanted })
  const options = (found.data?.data ?? [])
    .filter((customer) => !without.includes(customer.id))
    .map((customer) => ({ value: customer.id, label: fullName(customer) }))
  return (
    <Select
      id={id}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      autoFocus
      allowClear
      placeholder={t('customers.choose')}
      value={value}
      onChange={onChange}
      options={options}
      loading={found.isFetching}
      notFoundContent={found.isFetching ? t('loading') : t('customers.nothing')}
    />
  )
}
