import { useTranslation } from 'react-i18next'

/** The buttons of a section that is edited. */
export function useEditWords() {
  const { t } = useTranslation()
  return { edit: t('edit'), save: t('save'), cancel: t('cancel') }
}
