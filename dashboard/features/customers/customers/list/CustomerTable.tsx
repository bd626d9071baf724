import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { displayName } from '#contract/customers/customers.ts'
import { useCustomerOnline } from '../../../../platform/realtime/presence.ts'
import { messageTime, useAges } from '../../../../platform/times.ts'
import { Each } from '../../../../ui/Each.tsx'
import { Undrawn } from '../../../../ui/PartBoundary.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { Table } from '../../../../ui/Table.tsx'
import { Truncate } from '../../../../ui/Truncate.tsx'
import { AttributeValue } from '../../attributes/AttributeValue.tsx'
import { storedValue } from '../../attributes/value-text.ts'
import { TagPill } from '../../tags/TagPill.tsx'
import { Anonymous } from '../Anonymous.tsx'
import { CustomerAvatar } from '../CustomerAvatar.tsx'
import styles from './CustomerTable.module.css'

interface TableProps {
  customers: readonly CustomerProfile[]
  /** Attributes that have a column, behind the tags. */
  attributes?: readonly AttributeDefinition[] | undefined
  /** Opens a customer in a dialog; without it, rows link to the customer's page. */
  preview?: ((customer: CustomerProfile) => void) | undefined
}

export function CustomerTable({ customers, attributes = [], preview }: TableProps) {
  const { t } = useTranslation()
  const columns = [
    t('customers.name'),
    t('customers.company'),
    t('customers.tags'),
    ...attributes.map(({ name }) => name),
    t('customers.last_seen'),
    t('customers.view'),
  ] as const
  return (
    <Table label={t('customers.title')} columns={columns}>
      <Each name="customer" items={customers} keyOf={(customer) => customer.id}>
        {(customer) => <CustomerRow customer={customer} attributes={attributes} preview={preview} />}
      </Each>
    </Table>
  )
}

interface RowProps extends Pick<TableProps, 'preview'> {
  customer: CustomerProfile
  attributes: readonly AttributeDefinition[]
}

function CustomerRow({ customer, attributes, preview }: RowProps) {
  const { t } = useTranslation()
  const ago = useAges()
  const online = useCustomerOnline(customer.id)
  const name = displayName(customer)
  return (
    <tr className={styles.row}>
      <td>
        <div className={styles.who}>
          <CustomerAvatar customer={customer} online={online} />
          <div className={styles.words}>
            {preview ? (
              <button type="button" className={styles.name} onClick={() => preview(customer)}>
                <Truncate text={name} />
              </button>
            ) : (
              <Link to={`/customers/${customer.id}`} className={styles.name}>
                <Truncate text={name} />
              </Link>
            )}
            <Anonymous customer={customer} />
            {customer.name && customer.email && (
              <span className={styles.email}>
                <Truncate text={customer.email} />
              </span>
            )}
            <span className={styles.states}>
              {customer.blocked_at && <Pill tone="danger">{t('customer.blocked')}</Pill>}
            </span>
          </div>
        </div>
      </td>
      <td className={styles.company}>
        {customer.company && (
          <Link to={`/companies/${customer.company.id}`}>
            <Truncate text={customer.company.name} />
          </Link>
        )}
      </td>
      <td>
        <span className={styles.tags}>
          <Each name="tag" items={customer.tags ?? []} keyOf={(tag) => tag.id} fallback={() => <Undrawn />}>
            {(tag) => <TagPill tag={tag} />}
          </Each>
        </span>
      </td>
      <Each name="attribute" items={attributes} keyOf={({ id }) => id} fallback={UndrawnCell}>
        {(attribute) => (
          <td data-label={attribute.name} className={styles.attribute}>
            <AttributeValue attribute={attribute} stored={storedValue(customer.metadata, attribute.key)} />
          </td>
        )}
      </Each>
      <td>
        {online ? (
          <Pill tone="success">{t('customer.online')}</Pill>
        ) : (
          <time dateTime={customer.last_seen_at} title={messageTime(customer.last_seen_at)} className={styles.seen}>
            {ago(customer.last_seen_at, 'long')}
          </time>
        )}
      </td>
      <td>
        <Link to={`/customers/${customer.id}`} className={styles.view}>
          {t('customers.view')}
          <span className="unseen"> {name}</span>
        </Link>
      </td>
    </tr>
  )
}

function UndrawnCell() {
  return (
    <td>
      <Undrawn />
    </td>
  )
}
