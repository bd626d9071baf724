import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Company } from '#contract/companies.ts'
import { useDebounced } from '../../platform/forms/useDebounced.ts'
import { ComboBox } from '../../ui/ComboBox.tsx'
import { foundCompaniesQuery } from './queries.ts'

/** Whoever looks for another one types its name. */
const OFFERED = 50

interface ChooserProps {
  disabled: boolean
  /** The one that is named before anybody has looked for one. */
  known: Pick<Company, 'id' | 'name'> | null | undefined
  value: string | null
  onChange: (id: string | null) => void
}

/** Finds one company by what is typed. */
export function CompanyChooser({ disabled, known, value, onChange }: ChooserProps) {
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
      loading={found.isFetching}
    />
  )
}
