import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLabelLanguage, chooseLanguage, onLabelLanguage, readLabelLanguage, readLanguage } from '../i18n.ts'
import { Choice } from '../ui/Choice.tsx'
import { chooseScheme, onSchemeChange, readSchemeChoice } from '../ui/scheme.ts'

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'vi', label: 'Tiếng Việt' },
] as const

/** Light or dark, and the two languages. Kept in this browser. */
export function Preferences() {
  const { t } = useTranslation()
  const scheme = useSyncExternalStore(onSchemeChange, readSchemeChoice)
  const labels = useSyncExternalStore(onLabelLanguage, readLabelLanguage)
  return (
    <>
      <Choice
        legend={t('preferences.scheme')}
        options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t(`preferences.${value}`) }))}
        value={scheme}
        onChange={chooseScheme}
      />
      <Choice legend={t('preferences.language')} options={LANGUAGES} value={readLanguage()} onChange={chooseLanguage} />
      <Choice legend={t('preferences.labels')} options={LANGUAGES} value={labels} onChange={chooseLabelLanguage} />
    </>
  )
}
