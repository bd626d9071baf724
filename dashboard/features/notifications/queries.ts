import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type UserSettings, type UserSettingsChanges, userSettings } from '#contract/user-settings.ts'
import { call } from '../../platform/http/api.ts'
import { showError } from '../../platform/http/errors.ts'

/** How who is signed in wants to be told of news. */
export const userSettingsQuery = queryOptions({
  queryKey: ['user-settings'],
  queryFn: async ({ signal }): Promise<UserSettings> => (await call(userSettings.get, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Saves changes, shown at once and taken back when the server refuses. */
export function useSaveSettings() {
  const client = useQueryClient()
  return async (changes: UserSettingsChanges) => {
    const key = userSettingsQuery.queryKey
    const before = client.getQueryData(key)
    client.setQueryData(key, (shown) => shown && ({ ...shown, ...changes } as UserSettings))
    try {
      const { data } = await call(userSettings.update, { body: { user_settings: changes } })
      client.setQueryData(key, data)
    } catch (error) {
      client.setQueryData(key, before)
      showError('Settings not saved', error)
    }
  }
}
