import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Company } from '#contract/customers/companies.ts'
import { useDebounced } from '../../../platform/forms/useDebounced.ts'
import { ComboBox } from '../../../ui/ComboBox.tsx'
import { foundCompaniesQuery } from './queries.ts'

/** How many are offered; others are found by typing. */
const OFFERED = 50

interface ChooserProps {
  disabled: boolean
  /** The current company, shown before anything is typed. */
  current: Pick<Company, 'id' | 'name'> | null | undefined
  value: string | null
  onChange: (id: string | null) => void
}

/** Finds a company by name. */
export function CompanyChooser({ disabled, current, value, onChange }: ChooserProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Company>()
  const q = useDebounced(typed)
  const query = useQuery(foundCompaniesQuery(q, OFFERED))
  const offered = query.data ?? []
  const chosen = [picked, current].find((company) => company?.id === value)
  // The chosen company needs an option even if it is not among the first ones.
  const named = chosen && !typed && !offered.some((company) => company.id === value) ? [chosen] : []
  return (
    <ComboBox
      label={t('customer.company')}
      onSearch={setTyped}
      clearable
      disabled={disabled}
      placeholder={t('customer.no_company')}
      value={value}
      onChange={(next) => {
        setPicked(offered.find((company) => company.id === next))
        onChange(next)
      }}
      options={[...named, ...offered].map((company) => ({ value: company.id, label: company.name }))}
      loading={query.isFetching}
    />
  )
}
