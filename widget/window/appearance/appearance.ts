import { getSettings } from '../calls.ts'
import type { ChatStore } from '../state.ts'
import { type Address, type Appearance, appearanceOfSettings } from './settings.ts'

/** Shops close while somebody is reading, and settings are changed while somebody is looking. */
export const FRESH_MS = 5 * 60_000

/** Where the page and the settings both say yes or no, one yes is enough. */
const EITHER = ['showAgentAvailability', 'requireEmailUpfront'] as const
/** Where pages of old only say what to do when nothing is saved. */
const SAVED_FIRST = ['agentAvailableText', 'agentUnavailableText'] as const

/** How the window looks: what is saved, below what the page's address asks for, below what the page said since. */
export function createAppearance(store: ChatStore, address: Address) {
  const asked = withoutBlanks(address.appearance)
  let saved: Appearance = address.saved ?? {}
  let wished: Appearance = {}
  let fetchedAt = address.saved ? Date.now() : 0

  function show() {
    const appearance: Appearance = { ...saved, ...asked }
    for (const key of EITHER) appearance[key] = asked[key] || saved[key]
    for (const key of SAVED_FIRST) Object.assign(appearance, saved[key] && { [key]: saved[key] })
    // The account's clock knows better than an address that was written when the page was loaded.
    if (saved.isOutsideWorkingHours !== undefined) appearance.isOutsideWorkingHours = saved.isOutsideWorkingHours
    store.update({ appearance: { ...appearance, ...wished } })
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

    wish(appearance: Appearance) {
      wished = { ...wished, ...appearance }
      show()
    },
  }
}

/** Only a subtitle may be blank on purpose. */
function withoutBlanks(appearance: Appearance): Appearance {
  return Object.fromEntries(Object.entries(appearance).filter(([key, value]) => value !== '' || key === 'subtitle'))
}
