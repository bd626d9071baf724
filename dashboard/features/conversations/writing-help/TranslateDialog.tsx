import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { languageChoices } from './languages.ts'

interface DialogProps {
  open: boolean
  close: () => void
  /** Null for the language of the customer. */
  translate: (language: string | null) => void
}

/** Asks into which language the text in the composer is translated. */
export function TranslateDialog({ open, close, translate }: DialogProps) {
  const { t, i18n } = useTranslation()
  const [language, setLanguage] = useState('')
  const options = [
    { value: '', label: t('writing.customer_language') },
    ...languageChoices(i18n.language).map(({ code, name }) => ({ value: code, label: name })),
  ]
  const run = () => {
    close()
    translate(language || null)
  }
  return (
    <Dialog
      title={t('writing.tasks.translate')}
      open={open}
      close={close}
      footer={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button variant="primary" onClick={run}>
            {t('writing.translate')}
          </Button>
        </>
      }
    >
      <Select label={t('writing.into')} options={options} value={language} onChange={setLanguage} />
    </Dialog>
  )
}
