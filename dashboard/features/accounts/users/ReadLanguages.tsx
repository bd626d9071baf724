import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readLanguage } from '../../../platform/language.ts'
import { MultiSelect } from '../../../ui/MultiSelect.tsx'
import { languageChoices } from '../../conversations/writing-help/languages.ts'
import { userSettingsQuery, useSaveSettings } from '../accounts/user-settings.ts'

/** Languages that the user reads beside that of the screens: messages in them are not offered for translation. */
export function ReadLanguages() {
  const { t } = useTranslation()
  const { data: settings } = useQuery(userSettingsQuery)
  const save = useSaveSettings()
  if (!settings) return null
  return (
    <MultiSelect
      label={t('preferences.read_languages')}
      options={languageChoices(readLanguage()).map(({ code, name }) => ({ value: code, label: name }))}
      value={settings.read_languages}
      onChange={(read_languages) => save({ read_languages })}
    />
  )
}
