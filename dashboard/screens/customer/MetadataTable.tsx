import { useTranslation } from 'react-i18next'
import type { Customer } from '#contract/customers/customers.ts'
import { Each } from '../../ui/Each.tsx'
import { Undrawn } from '../../ui/PartBoundary.tsx'
import { Truncate } from '../../ui/Truncate.tsx'
import styles from './CustomerDetails.module.css'

/** The metadata that the website sent about its visitor. Renders nothing without any. */
export function MetadataTable({ metadata }: Pick<Customer, 'metadata'>) {
  const { t } = useTranslation()
  const entries = Object.entries(metadata ?? {})
  if (entries.length === 0) return null
  return (
    <section className={styles.metadata}>
      <h3>{t('customer.metadata')}</h3>
      <table>
        <tbody>
          <Each name="entry" items={entries} keyOf={([key]) => key} fallback={UndrawnValue}>
            {([key, value]) => (
              <tr>
                <th scope="row">
                  <Truncate text={key} lines={3} />
                </th>
                <td>
                  <Truncate text={textOf(value)} lines={6} />
                </td>
              </tr>
            )}
          </Each>
        </tbody>
      </table>
    </section>
  )
}

function UndrawnValue([key]: [string, unknown]) {
  return (
    <tr>
      <th scope="row">{key}</th>
      <td>
        <Undrawn />
      </td>
    </tr>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
