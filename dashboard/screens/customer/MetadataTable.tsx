import { useTranslation } from 'react-i18next'
import type { Customer } from '#contract/customers/customers.ts'
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
          {entries.map(([key, value]) => (
            <tr key={key}>
              <th scope="row">
                <Truncate text={key} lines={3} />
              </th>
              <td>
                <Truncate text={textOf(value)} lines={6} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
