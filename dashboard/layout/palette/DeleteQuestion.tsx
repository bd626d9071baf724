import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

interface QuestionProps {
  count: number
  remove: () => void
  close: () => void
}

/** Asks for confirmation before a shortcut deletes conversations. No has the focus at first. */
export function DeleteQuestion({ count, remove, close }: QuestionProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('delete_question.title', { count })}
      open
      close={close}
      footer={
        <>
          <Button autoFocus onClick={close}>
            {t('no')}
          </Button>
          <Button
            danger
            variant="primary"
            onClick={() => {
              close()
              remove()
            }}
          >
            {t('yes')}
          </Button>
        </>
      }
    >
      <p>{t('delete_question.text')}</p>
    </Dialog>
  )
}
