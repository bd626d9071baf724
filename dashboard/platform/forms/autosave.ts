/** How saving goes, and why it failed where it did. */
export interface SaveState {
  is: 'rest' | 'saving' | 'saved' | 'failed'
  error?: unknown
}

const PAUSE_MS = 400

/**
 * Saves what is being changed after a pause, one save at a time; what changes meanwhile is saved next. A failed save
 * keeps everything for the next one.
 */
export function createAutosave(save: () => Promise<void>, show: (state: SaveState) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isDue = false
  let isSaved = false

  async function run() {
    clearTimeout(timer)
    if (!isDue || isRunning) return
    isDue = false
    isRunning = true
    show({ is: 'saving' })
    const outcome = await save().then(
      (): SaveState => ({ is: 'saved' }),
      (error: unknown): SaveState => ({ is: 'failed', error }),
    )
    isRunning = false
    if (outcome.is === 'saved' && isDue) return run()
    isDue ||= outcome.is === 'failed'
    isSaved = outcome.is === 'saved'
    show(outcome)
  }

  return {
    /** Something was changed. */
    note() {
      isDue = true
      // What is on screen now is not what was saved.
      if (isSaved) show({ is: 'rest' })
      isSaved = false
      clearTimeout(timer)
      timer = setTimeout(run, PAUSE_MS)
    },
    /** Saves at once what is not saved yet. */
    flush: run,
    /** The page goes: there is no waiting for the save that runs, or what changed since would be lost with it. */
    leave() {
      clearTimeout(timer)
      if (!isDue) return
      isDue = false
      save().catch(() => {
        isDue = true
      })
    },
  }
}
