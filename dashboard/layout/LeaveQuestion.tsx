import { useTranslation } from 'react-i18next'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { answerLeaving } from '../ui/unsaved.ts'

/** Asks before a form with unsaved text is left. */
export function LeaveQuestion({ open }: { open: boolean }) {
  const { t } = useTranslation()
  const stay = () => answerLeaving(false)
  return (
    <Dialog
      title={t('leaving.title')}
      open={open}
      close={stay}
      footer={
        <>
          <Button danger variant="text" onClick={() => answerLeaving(true)}>
            {t('leaving.leave')}
          </Button>
          <Button autoFocus variant="primary" onClick={stay}>
            {t('leaving.stay')}
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  )
}
