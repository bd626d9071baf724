import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import type { Customer } from '#contract/customers/customers.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { useDialog } from '../../../../platform/useDialog.ts'
import { Button } from '../../../../ui/Button.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { useSendAnyway } from '../sending/useSendAnyway.ts'
import { cancelScheduled, sendScheduledNow } from './queries.ts'
import styles from './Scheduled.module.css'

const ChangeDialog = lazyComponent(async () => (await import('./ChangeDialog.tsx')).ChangeDialog)

interface ToolsProps {
  scheduled: ScheduledMessage
  customer: Customer | undefined
  /** Called after its text returned into the composer. */
  onCancelled?: () => void
}

/** What its author and admins can do with a scheduled reply. */
export function ScheduledTools({ scheduled, customer, onCancelled }: ToolsProps) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const client = useQueryClient()
  const changing = useDialog()
  const cancel = useMutation({
    mutationFn: () => cancelScheduled(client, scheduled),
    onSuccess: onCancelled,
    onError: (error) => showError(t('scheduled.not_undone'), error),
  })
  const anyway = useSendAnyway()
  const send = useMutation({
    mutationFn: () => anyway.send((send_anyway) => sendScheduledNow(client, scheduled, send_anyway)),
    onError: (error) => showError(t('scheduled.failed'), error),
  })
  // Taking back a sent reply is offered by a notice, which stays when another conversation is opened.
  if (scheduled.is_undo || (scheduled.user_id !== me.id && me.role !== 'admin')) return null
  return (
    <span className={styles.tools}>
      <Button size="small" variant="text" loading={send.isPending} onClick={() => send.mutate()}>
        {t(anyway.isAsked ? 'composer.send_anyway' : 'scheduled.now')}
      </Button>
      <Button size="small" variant="text" onClick={() => changing.open()}>
        {t('scheduled.change')}
      </Button>
      <Button size="small" variant="text" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {t('scheduled.cancel')}
      </Button>
      <LazyMount when={changing.isOpen}>
        <ChangeDialog
          key={changing.turn}
          scheduled={scheduled}
          customer={customer}
          open={changing.isOpen}
          close={changing.close}
        />
      </LazyMount>
    </span>
  )
}
