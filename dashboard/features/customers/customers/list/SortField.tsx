import { useTranslation } from 'react-i18next'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import { Select } from '../../../../ui/Select.tsx'
import type { Sort } from './address-filters.ts'
import styles from './CustomersPage.module.css'

interface SortProps {
  sort: Sort | undefined
  choose: (sort: Sort | undefined) => void
  /** Attributes by which can be sorted. */
  attributes: readonly AttributeDefinition[]
}

const FIXED = [
  { order: 'name', direction: 'asc' },
  { order: 'name', direction: 'desc' },
  { order: 'created', direction: 'desc' },
  { order: 'created', direction: 'asc' },
  { order: 'last_seen', direction: 'asc' },
] as const

/** Chooses the order of the list. A choice instead of headings to press, which phones do not show. */
export function SortField({ sort, choose, attributes }: SortProps) {
  const { t } = useTranslation()
  const unknown = sort?.attribute !== undefined && !attributes.some(({ key }) => key === sort.attribute)
  // A bookmarked order may be by a deleted attribute.
  const named = [...attributes, ...(unknown ? [{ key: sort.attribute ?? '', name: sort.attribute ?? '' }] : [])]
  const sorts: { sort: Sort; label: string }[] = [
    ...FIXED.map((fixedSort) => ({
      sort: fixedSort,
      label: t(`customers.sort.${fixedSort.order}_${fixedSort.direction}` as 'customers.sort.name_asc'),
    })),
    ...named.flatMap(({ key, name }) =>
      (['asc', 'desc'] as const).map((direction) => ({
        sort: { order: 'attribute' as const, direction, attribute: key },
        label: t(`customers.sort.attribute_${direction}`, { name }),
      })),
    ),
  ]
  return (
    <div className={styles.sort}>
      <Select
        label={t('customers.sort.label')}
        hideLabel
        value={sort ? keyOf(sort) : ''}
        onChange={(value) => choose(sorts.find((option) => keyOf(option.sort) === value)?.sort)}
        options={[
          { value: '', label: t('customers.sort.seen') },
          ...sorts.map((option) => ({ value: keyOf(option.sort), label: option.label })),
        ]}
      />
    </div>
  )
}

function keyOf({ order, direction, attribute = '' }: Sort): string {
  return `${order} ${direction} ${attribute}`
}
