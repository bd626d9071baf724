import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { userSettingsQuery } from '../features/accounts/accounts/user-settings.ts'
import { logError } from '../platform/http/errors.ts'
import { chooseLabelLanguage, chooseLanguage } from '../platform/i18n.ts'
import { hasChosenLanguage } from '../platform/language.ts'

/** Applies the languages of the user's profile in a browser where none were chosen. */
export function useOwnLanguages() {
  // A hook and not one request, which a page that also reads these settings would cancel when it is left.
  const { data: settings, error } = useQuery({ ...userSettingsQuery, enabled: !hasChosenLanguage() })
  useEffect(() => {
    if (!settings || hasChosenLanguage()) return
    if (settings.language) chooseLanguage(settings.language)
    if (settings.label_language) chooseLabelLanguage(settings.label_language)
  }, [settings])
  useEffect(() => {
    if (error) logError('Languages not loaded', error)
  }, [error])
}
