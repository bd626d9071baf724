/** The state of saving, with the error of the last attempt. */
export interface SaveState {
  is: 'rest' | 'saving' | 'saved' | 'failed'
  error?: unknown
}

const PAUSE_MS = 400

/**
 * Saves after a pause, one save at a time; changes made meanwhile are saved next. After a failure, the next save
 * includes the same changes.
 */
export function createAutosave(save: () => Promise<void>, show: (state: SaveState) => void, pauseMs = PAUSE_MS) {
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
    /** Schedules a save after a change. */
    schedule() {
      isDue = true
      // The saved mark no longer applies.
      if (isSaved) show({ is: 'rest' })
      isSaved = false
      clearTimeout(timer)
      timer = setTimeout(run, pauseMs)
    },
    /** Saves pending changes at once. */
    flush: run,
    /** The page is closing: saves pending changes without waiting for a running save, or they would be lost. */
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
