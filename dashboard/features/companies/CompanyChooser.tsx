import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Company } from '#contract/companies.ts'
import { useDebounced } from '../../platform/forms/useDebounced.ts'
import { foundCompaniesQuery } from './queries.ts'

/** Whoever looks for another one types its name. */
const OFFERED = 50

interface ChooserProps {
  id: string
  disabled: boolean
  /** The one that is named before anybody has looked for one. */
  known: Pick<Company, 'id' | 'name'> | null | undefined
  value: string | null
  onChange: (id: string | null) => void
}

/** Finds one company by what is typed. */
export function CompanyChooser({ id, disabled, known, value, onChange }: ChooserProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Company>()
  const q = useDebounced(typed)
  const found = useQuery(foundCompaniesQuery(q, OFFERED))
  const offered = found.data ?? []
  const chosen = [picked, known].find((company) => company?.id === value)
  // Which one is chosen has a name although it is not among the first.
  const named = chosen && !typed && !offered.some((company) => company.id === value) ? [chosen] : []
  return (
    <Select
      id={id}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      allowClear
      disabled={disabled}
      placeholder={t('customer.no_company')}
      value={value}
      onChange={(next: string | undefined) => {
        setPicked(offered.find((company) => company.id === next))
        onChange(next ?? null)
      }}
      options={[...named, ...offered].map((company) => ({ value: company.id, label: company.name }))}
      loading={found.isFetching}
      notFoundContent={found.isFetching ? t('loading') : undefined}
    />
  )
}
