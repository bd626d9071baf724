import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import type { Customer } from '#contract/customers/customers.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { TextArea } from '../../../../ui/TextArea.tsx'
import { localMinute } from '../../actions/snooze-times.ts'
import { useSendAnyway } from '../sending/useSendAnyway.ts'
import { afterwardsOf, fieldsOf } from './afterwards.ts'
import { changeScheduled } from './queries.ts'
import { TimeFields, type Timing, timeOf } from './TimeFields.tsx'

const HOUR_MS = 3_600_000

interface DialogProps {
  scheduled: ScheduledMessage
  customer: Customer | undefined
  open: boolean
  close: () => void
}

/** Changes text and time of a scheduled reply. For one that was held back, a new time is suggested. */
export function ChangeDialog({ scheduled, customer, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [body, setBody] = useState(scheduled.body)
  const [timing, setTiming] = useState<Timing>(() => ({
    at: localMinute(scheduled.held_reason ? new Date(Date.now() + HOUR_MS) : new Date(scheduled.send_at)),
    if_answered: scheduled.if_answered,
    afterwards: afterwardsOf(scheduled),
  }))
  const anyway = useSendAnyway()
  const saving = useSaving(async () => {
    const { at, if_answered, afterwards } = timing
    const send_at = timeOf(at, t('scheduled.past'))
    const changes = { body, send_at, if_answered, ...fieldsOf(afterwards) }
    await anyway.send((send_anyway) => changeScheduled(client, scheduled, { ...changes, send_anyway }))
    close()
  })
  return (
    <FormDialog
      title={t('scheduled.change')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t(anyway.isAsked ? 'composer.send_anyway' : 'save')}
      {...saving}
    >
      <TextArea label={t('scheduled.text')} rows={4} value={body} onChange={setBody} />
      <TimeFields timing={timing} change={(changes) => setTiming({ ...timing, ...changes })} customer={customer} />
    </FormDialog>
  )
}
