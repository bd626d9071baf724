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
    Promise.all([
      settings.language && chooseLanguage(settings.language),
      settings.label_language && chooseLabelLanguage(settings.label_language),
    ]).catch(notLoaded)
  }, [settings])
  useEffect(() => {
    if (error) notLoaded(error)
  }, [error])
}

function notLoaded(error: unknown) {
  logError('Languages not loaded', error)
}
