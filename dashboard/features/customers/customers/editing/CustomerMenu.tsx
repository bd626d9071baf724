import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { downloadOf } from '../../../../platform/http/download.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { useMayManageCustomers, useTeam } from '../../../accounts/accounts/account.ts'
import { useUnmerge } from '../merging/useUnmerge.ts'
import { allowAutomaticMail, setBlocked } from '../queries.ts'

const MergeDialog = lazyComponent(async () => (await import('../merging/MergeDialog.tsx')).MergeDialog)
const EraseDialog = lazyComponent(async () => (await import('./EraseDialog.tsx')).EraseDialog)
const DeleteDialog = lazyComponent(async () => (await import('./DeleteDialog.tsx')).DeleteDialog)

type Window = 'merge' | 'erase' | 'delete'

interface MenuProps {
  customer: CustomerProfile
  disabled: boolean
  /** Called when the customer was deleted. */
  onDeleted: () => void
}

/** Less frequent actions on a customer. */
export function CustomerMenu({ customer, disabled, onDeleted }: MenuProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me } = useTeam()
  const mayManage = useMayManageCustomers()
  const [opened, setOpened] = useState<Window>()
  const { id, blocked_at, complained_at } = customer
  const block = () => setBlocked(client, id, !blocked_at).catch((error) => showError('Not blocked', error))
  const allowMail = () => allowAutomaticMail(client, id).catch((error) => showError('Not changed', error))
  const unmerge = useUnmerge(id)
  const items = [
    { key: 'block', label: t(blocked_at ? 'customer.unblock' : 'customer.block'), onClick: block },
    ...(complained_at ? [{ key: 'allow_mail', label: t('customer.allow_mail'), onClick: allowMail }] : []),
    { key: 'merge', label: t('customers.merge.open'), onClick: () => setOpened('merge') },
    ...(customer.merged_at ? [{ key: 'unmerge', label: t('customers.merge.take_back'), onClick: unmerge }] : []),
    ...(me.role === 'admin'
      ? [{ key: 'export', label: t('customers.export_all'), onClick: () => exportCustomer(id) }]
      : []),
    { type: 'divider' as const },
    {
      key: 'delete',
      danger: true,
      disabled: !mayManage,
      label: t(mayManage ? 'customers.remove.open' : 'customers.remove.admins_only'),
      onClick: () => setOpened('delete'),
    },
    ...(me.role === 'admin'
      ? [{ key: 'erase', danger: true, label: t('customers.erase.open'), onClick: () => setOpened('erase') }]
      : []),
  ]
  const window = (name: Window) => ({ customer, open: opened === name, close: () => setOpened(undefined) })
  return (
    <>
      <Menu items={items}>
        {(trigger) => (
          <Button
            {...trigger}
            disabled={disabled}
            icon={<Icon name="more" size={18} />}
            aria-label={t('customers.menu')}
          />
        )}
      </Menu>
      <LazyMount when={opened === 'merge'}>
        <MergeDialog {...window('merge')} />
      </LazyMount>
      <LazyMount when={opened === 'delete'}>
        <DeleteDialog {...window('delete')} onDeleted={onDeleted} />
      </LazyMount>
      <LazyMount when={opened === 'erase'}>
        <EraseDialog {...window('erase')} onDeleted={onDeleted} />
      </LazyMount>
    </>
  )
}

async function exportCustomer(id: string) {
  try {
    await downloadOf(erasure.export, { id }, `customer-${id}.json`)
  } catch (error) {
    showError('Customer not exported', error)
  }
}
