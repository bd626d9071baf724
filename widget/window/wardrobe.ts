import { getSettings, type Place } from './calls.ts'
import { type Look, lookOfSettings } from './look.ts'
import type { ChatStore } from './state.ts'

/** How the window looks: what the page asks for, on top of what is saved. */
export function createWardrobe(store: ChatStore, asked: Look, place: Place) {
  let saved: Look = {}
  let wished = asked

  function dress() {
    // Only a subtitle may be blank on purpose.
    const said = Object.entries(wished).filter(([key, value]) => value !== '' || key === 'subtitle')
    store.update({ look: { ...saved, ...Object.fromEntries(said) } })
  }
  dress()

  return {
    async fetchSaved() {
      const outcome = await getSettings(place)
      if (outcome.kind === 'done') saved = lookOfSettings(outcome.answer.data)
      dress()
    },

    wish(look: Look) {
      wished = { ...wished, ...look }
      dress()
    },
  }
}
