import { queryOptions } from '@tanstack/react-query'
import { type UserSettings, userSettings } from '#contract/user-settings.ts'
import { call } from '../../api.ts'

/** How who is signed in wants to be told of news. */
export const userSettingsQuery = queryOptions({
  queryKey: ['user-settings'],
  queryFn: async ({ signal }): Promise<UserSettings> => (await call(userSettings.get, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})
