import { useEffect, useState } from 'react'
import { createAutosave, type SaveState } from './autosave.ts'

/**
 * Saves typed changes automatically. Only the `save` of the first render is used, so it must read the changes from a
 * ref; it throws on failure. Pending changes are saved when the component unmounts or the page closes. Large texts are
 * saved after a longer pause.
 */
export function useAutosave(save: () => Promise<void>, pauseMs?: number) {
  const [state, setState] = useState<SaveState>({ is: 'rest' })
  const [autosave] = useState(() => createAutosave(save, setState, pauseMs))
  useEffect(() => {
    addEventListener('pagehide', autosave.leave)
    return () => {
      removeEventListener('pagehide', autosave.leave)
      void autosave.flush()
    }
  }, [autosave])
  return { state, schedule: autosave.schedule, flush: autosave.flush }
}
