import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'

interface DialogProps {
  /** What the customer is called. */
  name: string
  open: boolean
  close: () => void
  send: () => void
}

/** The question before the next message to a customer who may have asked for no more of them. */
export function SendAnywayDialog({ name, open, close, send }: DialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('possible_opt_out.question')}
      open={open}
      close={close}
      footer={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button variant="primary" onClick={send}>
            {t('composer.send_anyway')}
          </Button>
        </>
      }
    >
      <p>{t('possible_opt_out.hint', { name })}</p>
    </Dialog>
  )
}
