import { queryOptions } from '@tanstack/react-query'
import { type UserSettings, type UserSettingsChanges, userSettings } from '#contract/accounts/user-settings.ts'
import { call } from '../../../platform/http/api.ts'
import { useSavingSettings } from '../../../platform/http/useSavingSettings.ts'

/** The notification settings of the signed-in user. */
export const userSettingsQuery = queryOptions({
  queryKey: ['user-settings'],
  queryFn: async ({ signal }): Promise<UserSettings> => (await call(userSettings.get, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Saves changes, shown at once and reverted if the server refuses. */
export function useSaveSettings() {
  return useSavingSettings({
    key: userSettingsQuery.queryKey,
    save: async (changes: UserSettingsChanges) =>
      (await call(userSettings.update, { body: { user_settings: changes } })).data,
    failed: 'Settings not saved',
  })
}
