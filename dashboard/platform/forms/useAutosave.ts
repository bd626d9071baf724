import { useEffect, useState } from 'react'
import { createAutosave, type SaveState } from './autosave.ts'

/**
 * Saves by itself what is typed. The `save` of the first drawing is kept, so it reads what to save from a ref; it throws when
 * that fails. Nothing is lost by going elsewhere within the pause, or by closing the page.
 */
export function useAutosave(save: () => Promise<void>) {
  const [state, setState] = useState<SaveState>({ is: 'rest' })
  const [autosave] = useState(() => createAutosave(save, setState))
  useEffect(() => {
    addEventListener('pagehide', autosave.leave)
    return () => {
      removeEventListener('pagehide', autosave.leave)
      void autosave.flush()
    }
  }, [autosave])
  return { state, note: autosave.note, flush: autosave.flush }
}
