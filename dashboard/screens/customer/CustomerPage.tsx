import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { displayName } from '#contract/customers/customers.ts'
import { ConversationsOf } from '../../features/conversations/conversations/list/ConversationsOf.tsx'
import { StartConversation } from '../../features/conversations/conversations/start/StartConversation.tsx'
import { NotesSection } from '../../features/customers/customer-notes/NotesSection.tsx'
import { Anonymous } from '../../features/customers/customers/Anonymous.tsx'
import { CustomerMenu } from '../../features/customers/customers/editing/CustomerMenu.tsx'
import { customerQuery } from '../../features/customers/customers/queries.ts'
import { IssuesSection } from '../../features/customers/issues/IssuesSection.tsx'
import { errorText } from '../../platform/http/errors.ts'
import { isTemporary } from '../../platform/http/request.ts'
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx'
import { useCustomerOnline } from '../../platform/realtime/presence.ts'
import { useDialog } from '../../platform/useDialog.ts'
import { useLeaveWhenDeleted } from '../../platform/useLeaveWhenDeleted.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { LazyMount } from '../../ui/LazyMount.tsx'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { Page } from '../../ui/Page.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { TableSkeleton } from '../../ui/Table.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import styles from './CustomerPage.module.css'
import { ProfilePanel } from './ProfilePanel.tsx'

const ClaimNotice = lazyComponent(
  async () => (await import('../../features/customers/customers/merging/ClaimNotice.tsx')).ClaimNotice,
)
const CustomerDialog = lazyComponent(
  async () => (await import('../../features/customers/customers/editing/CustomerDialog.tsx')).CustomerDialog,
)

/** Everything about one customer. */
export function CustomerPage() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const [deleted, setDeleted] = useState<CustomerProfile>()
  const isDeleted = deleted?.id === id
  const { data, error, refetch } = useQuery({ ...customerQuery(id), enabled: !isDeleted, refetchOnMount: 'always' })
  const customer = data ?? (isDeleted ? deleted : undefined)
  useLeaveWhenDeleted(isDeleted, '/customers')
  if (error && !isDeleted && !(data && isTemporary(error))) {
    return (
      <LoadFailed
        isPage
        title={t('customers.one_failed')}
        text={errorText(error)}
        retryLabel={t('retry')}
        retry={refetch}
        back={{ to: '/customers', label: t('customers.back') }}
      />
    )
  }
  if (customer)
    return <Loaded key={customer.id} customer={customer} isDeleted={isDeleted} leave={() => setDeleted(customer)} />
  return (
    <Page title={t('screens.customer')}>
      <TableSkeleton label={t('loading')} />
    </Page>
  )
}

interface LoadedProps {
  customer: CustomerProfile
  isDeleted: boolean
  /** Keeps the content on screen during navigation. */
  leave: () => void
}

function Loaded({ customer, isDeleted, leave }: LoadedProps) {
  const { t } = useTranslation()
  const editing = useDialog()
  const online = useCustomerOnline(customer.id)
  return (
    <Page
      back={<BackLink to="/customers">{t('customers.back')}</BackLink>}
      title={displayName(customer)}
      badge={
        <>
          <Anonymous customer={customer} />
          {online && <Pill tone="success">{t('customer.online')}</Pill>}
          {customer.blocked_at && <Pill tone="danger">{t('customer.blocked')}</Pill>}
          {customer.complained_at && <Pill tone="danger">{t('customer.complained')}</Pill>}
        </>
      }
      actions={
        <>
          <CustomerMenu customer={customer} disabled={isDeleted} onDeleted={leave} />
          <Button variant="primary" disabled={isDeleted} onClick={() => editing.open()}>
            {t('edit')}
          </Button>
        </>
      }
    >
      <div inert={isDeleted}>
        <LazyMount when={customer.claimed_customer_id !== null}>
          <ClaimNotice customer={customer} />
        </LazyMount>
      </div>
      <div className={styles.profile} inert={isDeleted}>
        <ProfilePanel customer={customer} online={online} />
        <Records customer={customer} />
      </div>
      <LazyMount when={editing.isOpen}>
        <CustomerDialog
          key={editing.turn}
          customer={customer}
          open={editing.isOpen}
          close={editing.close}
          onDeleted={leave}
        />
      </LazyMount>
    </Page>
  )
}

const TABS = ['conversations', 'notes', 'issues'] as const
type Tab = (typeof TABS)[number]

function Records({ customer }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const tab: Tab = TABS.find((name) => name === params.get('tab')) ?? 'conversations'
  const counts = { conversations: 0, notes: customer.notes?.length ?? 0, issues: customer.issues?.length ?? 0 }
  return (
    <div className={styles.side}>
      <Tabs
        label={t('customers.tabs.label')}
        tabs={TABS.map((name) => ({ name, title: t(`customers.tabs.${name}`), count: counts[name] }))}
        current={tab}
        choose={(name) => setParams({ tab: name }, { replace: true })}
      >
        {tab === 'conversations' && (
          <>
            <div className={styles.start}>
              <StartConversation customer={customer} />
            </div>
            <ConversationsOf filter={{ customer_id: customer.id }} />
          </>
        )}
        {tab === 'notes' && <NotesSection customer_id={customer.id} notes={customer.notes ?? []} />}
        {tab === 'issues' && <IssuesSection customer_id={customer.id} issues={customer.issues ?? []} />}
      </Tabs>
    </div>
  )
}
