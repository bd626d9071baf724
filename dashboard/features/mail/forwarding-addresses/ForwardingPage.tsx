import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { ForwardingAddress } from '#contract/mail/forwarding-addresses.ts'
import { searchFields } from '../../../platform/forms/text-search.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { Table } from '../../../ui/Table.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { PlanNotice } from '../../accounts/plan-notices/PlanNotice.tsx'
import { ForwardingDialog } from './ForwardingDialog.tsx'
import styles from './ForwardingPage.module.css'
import { ForwardingRow, stateOf } from './ForwardingRow.tsx'
import { forwardingQuery } from './queries.ts'

/** The addresses to which a company forwards its email, of the account or of one inbox. */
export function ForwardingPage() {
  return (
    <AdminsOnly>
      <Addresses />
    </AdminsOnly>
  )
}

function Addresses() {
  const { t } = useTranslation()
  const { inbox_id } = useParams()
  const query = useQuery(forwardingQuery(inbox_id))
  const dialog = useDialog<ForwardingAddress>()
  const creating = useDialog()
  const canReceive = query.data?.can_receive === true
  return (
    <>
      <Page
        back={inbox_id && <BackLink to={`/inboxes/${inbox_id}`}>{t('forwarding.back')}</BackLink>}
        title={t('forwarding.title')}
        text={t('forwarding.text')}
        actions={
          canReceive && (
            <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={() => creating.open()}>
              {t('forwarding.new')}
            </Button>
          )
        }
      >
        <PlanNotice feature="email_forwarding" />
        {query.data && !canReceive && <Banner tone="warning">{t('forwarding.cannot_receive')}</Banner>}
        {query.data?.can_receive && !query.data.can_send && (
          <Banner tone="warning">{t('forwarding.cannot_send')}</Banner>
        )}
        {query.data?.receiving_problem && (
          <Banner tone="warning">{t('forwarding.not_receiving', { problem: query.data.receiving_problem })}</Banner>
        )}
        <HowItWorks />
        {query.data ? (
          <AddressList addresses={query.data.data} canSend={query.data.can_send} edit={dialog.open} />
        ) : (
          <QueryView query={query} failed={t('forwarding.failed')} />
        )}
      </Page>
      <ForwardingDialog
        key={`new ${creating.turn}`}
        inbox_id={inbox_id}
        open={creating.isOpen}
        close={creating.close}
      />
      {dialog.item && (
        <ForwardingDialog key={dialog.turn} address={dialog.item} open={dialog.isOpen} close={dialog.close} />
      )}
    </>
  )
}

function HowItWorks() {
  const { t } = useTranslation()
  return (
    <section className={styles.how}>
      <h2>{t('forwarding.how')}</h2>
      <ol>
        <li>{t('forwarding.steps.create')}</li>
        <li>{t('forwarding.steps.forward')}</li>
        <li>{t('forwarding.steps.test')}</li>
      </ol>
    </section>
  )
}

interface FoundProps {
  addresses: ForwardingAddress[]
  canSend: boolean
  edit: (address: ForwardingAddress) => void
}

function AddressList({ addresses, canSend, edit }: FoundProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  if (addresses.length === 0) {
    return <EmptyState drawing="rest" title={t('forwarding.none')} text={t('forwarding.none_text')} />
  }
  const matches = searchFields(addresses, text, (address) => [
    address.id,
    t(`forwarding.${stateOf(address)}`),
    address.state,
    address.description,
    address.forwarding_email_address,
    address.source_email_address,
  ])
  const columns = [
    t('forwarding.address'),
    t('forwarding.source'),
    t('forwarding.state'),
    t('forwarding.actions'),
  ] as const
  return (
    <>
      <SearchInput label={t('forwarding.search')} value={text} onChange={setText} />
      {matches.length === 0 ? (
        <p role="status">{t('forwarding.nothing')}</p>
      ) : (
        <Table label={t('forwarding.title')} columns={columns}>
          <Each name="address" items={matches} keyOf={(address) => address.id}>
            {(address) => <ForwardingRow address={address} canSend={canSend} edit={() => edit(address)} />}
          </Each>
        </Table>
      )}
    </>
  )
}
