import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'

interface DialogProps {
  addresses: readonly string[]
  close: () => void
  send: () => void
}

/** The question before the first mail to somebody who is new in a conversation. */
export function SendAlsoDialog({ addresses, close, send }: DialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('recipients.question', { addresses: addresses.join(', ') })}
      open={addresses.length > 0}
      close={close}
      footer={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button variant="primary" onClick={send}>
            {t('composer.send')}
          </Button>
        </>
      }
    >
      <p>{t('recipients.question_hint')}</p>
    </Dialog>
  )
}
