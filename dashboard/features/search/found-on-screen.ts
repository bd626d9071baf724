import { createStore } from '../../platform/store.ts'

/** Where the hits that stand in place of the list lead, in their order; undefined while nothing is searched for. */
export const foundOnScreen = createStore<readonly string[] | undefined>(undefined)
