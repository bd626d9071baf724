import { createStore } from '../../../platform/store.ts'

/** The paths of the search results, in order; undefined without a search. */
export const foundOnScreen = createStore<readonly string[] | undefined>(undefined)
