import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Customer } from '#contract/customers/customers.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { localMinute } from '../../actions/snooze-times.ts'
import { fieldsOf } from './afterwards.ts'
import type { SendPlan } from './plan.ts'
import { TimeFields, type Timing, timeOf } from './TimeFields.tsx'
import { knownTimeZone, sendTimes } from './times.ts'

interface DialogProps {
  customer: Customer
  open: boolean
  close: () => void
  send: (plan: SendPlan) => void
}

/** Asks when a reply is to be sent. It begins with the customer's next morning. */
export function SendLaterDialog({ customer, open, close, send }: DialogProps) {
  const { t } = useTranslation()
  const [timing, setTiming] = useState<Timing>(() => {
    const [, tomorrow] = sendTimes(new Date(), knownTimeZone(customer.time_zone))
    return { at: localMinute(new Date(tomorrow!.at)), if_answered: 'hold', afterwards: 'nothing' }
  })
  const saving = useSaving(async () => {
    const { at, if_answered, afterwards } = timing
    send({ send_at: timeOf(at, t('scheduled.past')), if_answered, ...fieldsOf(afterwards) })
    close()
  })
  return (
    <FormDialog
      title={t('scheduled.later')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('scheduled.schedule')}
      {...saving}
      guard={null}
    >
      <TimeFields timing={timing} change={(changes) => setTiming({ ...timing, ...changes })} customer={customer} />
    </FormDialog>
  )
}
