import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Customer } from '#contract/customers/customers.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { useDialog } from '../../../../platform/useDialog.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { countQuery } from '../counts.ts'
import styles from './StartConversation.module.css'

const StartConversationDialog = lazyComponent(
  async () => (await import('./StartConversationDialog.tsx')).StartConversationDialog,
)

interface StartProps {
  customer: Pick<Customer, 'id' | 'name' | 'email' | 'phone' | 'nickname'>
  inbox_id?: string
}

/** Starts a conversation with a customer, or shows that one is already open. */
export function StartConversation({ customer, inbox_id }: StartProps) {
  const { t } = useTranslation()
  const starting = useDialog()
  const { data: openCount, refetch } = useQuery(countQuery({ customer_id: customer.id, status: 'open' }))
  const hasOpen = openCount !== 0
  return (
    <>
      <Button
        block
        icon={<Icon name="plus" size={18} />}
        disabled={hasOpen}
        title={openCount ? t('starting.open_already') : undefined}
        onClick={() => starting.open()}
      >
        {t('starting.open')}
      </Button>
      {!!openCount && <p className={styles.hint}>{t('starting.open_already')}</p>}
      <LazyMount when={starting.isOpen}>
        <StartConversationDialog
          key={starting.turn}
          customer={customer}
          {...(inbox_id && { inbox_id })}
          open={starting.isOpen}
          close={() => {
            starting.close()
            refetch()
          }}
        />
      </LazyMount>
    </>
  )
}
