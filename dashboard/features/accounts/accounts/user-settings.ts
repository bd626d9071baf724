import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type UserSettings, type UserSettingsChanges, userSettings } from '#contract/accounts/user-settings.ts'
import { call } from '../../../platform/http/api.ts'
import { showError } from '../../../platform/http/errors.ts'

/** The notification settings of the signed-in user. */
export const userSettingsQuery = queryOptions({
  queryKey: ['user-settings'],
  queryFn: async ({ signal }): Promise<UserSettings> => (await call(userSettings.get, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Saves changes, shown at once and reverted if the server refuses. */
export function useSaveSettings() {
  const client = useQueryClient()
  const key = userSettingsQuery.queryKey
  const { mutateAsync } = useMutation({
    mutationKey: key,
    // One after the other, so that the last change wins at the server, too.
    scope: { id: 'user-settings' },
    mutationFn: async (changes: UserSettingsChanges) =>
      (await call(userSettings.update, { body: { user_settings: changes } })).data,
    onMutate(changes) {
      const before = client.getQueryData(key)
      client.setQueryData(key, (shown) => shown && ({ ...shown, ...changes } as UserSettings))
      return before
    },
    onSuccess(data) {
      // A later change is on screen already.
      if (client.isMutating({ mutationKey: key }) === 1) client.setQueryData(key, data)
    },
    onError(error, _changes, before) {
      client.setQueryData(key, before)
      showError('Settings not saved', error)
    },
  })
  return async (changes: UserSettingsChanges): Promise<void> => {
    await mutateAsync(changes).catch(() => undefined)
  }
}
