import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../platform/http/errors.ts'
import { chooseLabelLanguage, chooseLanguage } from '../../../platform/i18n.ts'
import {
  LANGUAGES,
  nameOfLanguage,
  onLabelLanguage,
  readLabelLanguage,
  readLanguage,
} from '../../../platform/language.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { Select } from '../../../ui/Select.tsx'
import { chooseScheme, onSchemeChange, readSchemeChoice } from '../../../ui/scheme.ts'
import { useSaveSettings } from '../accounts/user-settings.ts'

const languages = LANGUAGES.map((value) => ({ value, label: nameOfLanguage(value) }))

/**
 * The color scheme is stored in this browser; the two languages belong to the user and also apply to other browsers and
 * emails.
 */
export function Preferences() {
  const { t } = useTranslation()
  const scheme = useSyncExternalStore(onSchemeChange, readSchemeChoice)
  const labels = useSyncExternalStore(onLabelLanguage, readLabelLanguage)
  const save = useSaveSettings()
  const change = (chosen: Promise<void>, settings: Parameters<typeof save>[0]) =>
    chosen.then(
      () => save(settings),
      (error) => showError('Language not changed', error),
    )
  return (
    <>
      <Choice
        legend={t('preferences.scheme')}
        options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t(`preferences.${value}`) }))}
        value={scheme}
        onChange={chooseScheme}
      />
      <Select
        label={t('preferences.language')}
        options={languages}
        value={readLanguage()}
        onChange={(language) => {
          change(chooseLanguage(language), { language })
        }}
      />
      <Select
        label={t('preferences.labels')}
        options={languages}
        value={labels}
        onChange={(label_language) => {
          change(chooseLabelLanguage(label_language), { label_language })
        }}
      />
    </>
  )
}
