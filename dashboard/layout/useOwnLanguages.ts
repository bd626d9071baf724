import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { userSettingsQuery } from '../features/notifications/queries.ts'
import { logError } from '../platform/http/errors.ts'
import { chooseLanguage } from '../platform/i18n.ts'
import { chooseLabelLanguage, hasChosenLanguage } from '../platform/language.ts'

/** Applies the languages of the user's profile in a browser where none were chosen. */
export function useOwnLanguages() {
  const client = useQueryClient()
  useEffect(() => {
    if (hasChosenLanguage()) return
    client
      .fetchQuery(userSettingsQuery)
      .then(({ language, label_language }) => {
        if (language) chooseLanguage(language)
        if (label_language) chooseLabelLanguage(label_language)
      })
      .catch((error) => logError('Languages not loaded', error))
  }, [client])
}
