import { describe, expect, it } from 'vitest'
import { type Chosen, chooseRange, extend, NONE, toggle } from './selection.ts'

const list = ['a', 'b', 'c', 'd']
const ids = (chosen: Chosen) => [...chosen.ids].sort()

describe('selecting several conversations', () => {
  it('selects one and deselects it', () => {
    const one = toggle(NONE, 'b')
    expect(ids(one)).toEqual(['b'])
    expect(ids(toggle(one, 'b'))).toEqual([])
  })

  it('extends with Shift from the last selected one, in both directions', () => {
    expect(ids(chooseRange(toggle(NONE, 'b'), list, 'd'))).toEqual(['b', 'c', 'd'])
    expect(ids(chooseRange(toggle(NONE, 'c'), list, 'a'))).toEqual(['a', 'b', 'c'])
    expect(ids(chooseRange(NONE, list, 'c'))).toEqual(['c'])
  })

  it('starts a range at the clicked one if the last one is no longer in the list', () => {
    expect(ids(chooseRange(toggle(NONE, 'gone'), list, 'c'))).toEqual(['c', 'gone'])
  })

  it('grows by steps from the open conversation, and shrinks on the way back', () => {
    const two = extend(NONE, list, 'b', 1)
    expect(ids(two)).toEqual(['b', 'c'])
    const three = extend(two, list, 'b', 1)
    expect(ids(three)).toEqual(['b', 'c', 'd'])
    expect(ids(extend(three, list, 'b', 1))).toEqual(['b', 'c', 'd'])
    expect(ids(extend(three, list, 'b', -1))).toEqual(['b', 'c'])
  })

  it('starts at the edge of the list when nothing is open', () => {
    expect(ids(extend(NONE, list, undefined, 1))).toEqual(['a'])
    expect(ids(extend(NONE, list, undefined, -1))).toEqual(['d'])
    expect(ids(extend(NONE, [], undefined, 1))).toEqual([])
  })
})
