import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage } from '../../../platform/i18n.ts'
import { chooseLabelLanguage, onLabelLanguage, readLabelLanguage, readLanguage } from '../../../platform/language.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { chooseScheme, onSchemeChange, readSchemeChoice } from '../../../ui/scheme.ts'
import { useSaveSettings } from '../../conversations/notifications/queries.ts'

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'vi', label: 'Tiếng Việt' },
] as const

/**
 * The color scheme is stored in this browser; the two languages belong to the user and also apply to other browsers and
 * emails.
 */
export function Preferences() {
  const { t } = useTranslation()
  const scheme = useSyncExternalStore(onSchemeChange, readSchemeChoice)
  const labels = useSyncExternalStore(onLabelLanguage, readLabelLanguage)
  const save = useSaveSettings()
  return (
    <>
      <Choice
        legend={t('preferences.scheme')}
        options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t(`preferences.${value}`) }))}
        value={scheme}
        onChange={chooseScheme}
      />
      <Choice
        legend={t('preferences.language')}
        options={LANGUAGES}
        value={readLanguage()}
        onChange={(language) => {
          chooseLanguage(language)
          save({ language })
        }}
      />
      <Choice
        legend={t('preferences.labels')}
        options={LANGUAGES}
        value={labels}
        onChange={(label_language) => {
          chooseLabelLanguage(label_language)
          save({ label_language })
        }}
      />
    </>
  )
}
