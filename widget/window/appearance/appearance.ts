import { getSettings } from '../calls.ts'
import type { ChatStore } from '../state.ts'
import { type Address, type Appearance, appearanceOfSettings } from './settings.ts'

/** How long fetched settings are used: opening hours and settings change while the page is open. */
export const FRESH_MS = 60_000

/** Switches that are on if either the page or the settings turn them on. */
const EITHER = ['showAgentAvailability', 'requireEmailUpfront'] as const
/** Texts of old pages that only apply when none are saved. */
const SAVED_FIRST = ['agentAvailableText', 'agentUnavailableText'] as const

/**
 * Merges the appearance: the saved settings are overridden by the page's address, and both by later messages of the
 * page.
 */
export function createAppearance(store: ChatStore, address: Address) {
  const fromAddress = withoutBlanks(address.appearance)
  let saved: Appearance = address.saved ?? {}
  let overrides: Appearance = {}
  let fetchedAt = address.saved ? Date.now() : 0

  function show() {
    const appearance: Appearance = { ...saved, ...fromAddress }
    for (const key of EITHER) appearance[key] = fromAddress[key] || saved[key]
    for (const key of SAVED_FIRST) Object.assign(appearance, saved[key] && { [key]: saved[key] })
    // The server's current value is newer than the page's address.
    if (saved.isOutsideWorkingHours !== undefined) appearance.isOutsideWorkingHours = saved.isOutsideWorkingHours
    store.update({ appearance: { ...appearance, ...overrides } })
  }
  show()

  return {
    async fetchSaved() {
      fetchedAt = Date.now()
      const outcome = await getSettings(address)
      if (outcome.kind === 'done') saved = appearanceOfSettings(outcome.answer.data)
      show()
    },

    isStale: () => Date.now() - fetchedAt >= FRESH_MS,

    override(appearance: Appearance) {
      overrides = { ...overrides, ...appearance }
      show()
    },
  }
}

/** A blank text means the default, except for the subtitle. */
function withoutBlanks(appearance: Appearance): Appearance {
  return Object.fromEntries(Object.entries(appearance).filter(([key, value]) => value !== '' || key === 'subtitle'))
}
