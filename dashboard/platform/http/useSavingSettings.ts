import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { showError } from './errors.ts'

interface Saved<Settings, Changes> {
  /** The key of the query that holds the settings. */
  key: QueryKey
  save: (changes: Changes) => Promise<Settings>
  /** The title of the error if the server refuses. */
  failed: string
}

/** Saves changes of settings, shown at once and reverted if the server refuses. */
export function useSavingSettings<Settings, Changes extends object>({ key, save, failed }: Saved<Settings, Changes>) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: key,
    // One after the other, so that the last change wins at the server, too.
    scope: { id: key.join(' ') },
    mutationFn: save,
    onMutate(changes) {
      const before = client.getQueryData<Settings>(key)
      client.setQueryData<Settings>(key, (shown) => shown && { ...shown, ...changes })
      return before
    },
    onSuccess(data) {
      // A later change is on screen already.
      if (client.isMutating({ mutationKey: key }) === 1) client.setQueryData(key, data)
    },
    onError(error, _changes, before) {
      client.setQueryData(key, before)
      showError(failed, error)
    },
  })
  return async (changes: Changes): Promise<void> => {
    await mutateAsync(changes).catch(() => undefined)
  }
}
