import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { giveBack } from './away.ts'

/** Asks whoever goes away what happens to the conversations that wait for an answer. */
export function GiveBackQuestion({ count, close }: { count: number; close: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('assignments.give_back', { count })}
      open
      close={close}
      footer={
        <>
          <Button onClick={close}>{t('assignments.keep')}</Button>
          <Button
            autoFocus
            variant="primary"
            onClick={() => {
              close()
              void giveBack()
            }}
          >
            {t('assignments.give')}
          </Button>
        </>
      }
    >
      <p>{t('assignments.give_back_text')}</p>
    </Dialog>
  )
}
