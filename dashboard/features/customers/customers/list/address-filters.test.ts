import { expect, it } from 'vitest'
import { readFilters, toQuery, toSaved } from './address-filters.ts'

const TAG = '46c7a7f3-9c40-4b54-83e3-a243f381ba47'
const OTHER = '0b6f9c0e-1d5b-4f0a-8f43-5a9d1f0c2b7e'

it('reads filters out of the address; anonymous customers are included unless it says otherwise', () => {
  const none = { q: '', tag_ids: [], include_anonymous: true, sort: undefined, page: 1, cursor: {} }
  expect(readFilters(new URLSearchParams())).toEqual(none)
  expect(readFilters(new URLSearchParams(`q=carla&tag_ids=${TAG},${OTHER}&include_anonymous=false&page=3`))).toEqual({
    q: 'carla',
    tag_ids: [TAG, OTHER],
    include_anonymous: false,
    sort: undefined,
    page: 3,
    cursor: {},
  })
  expect(readFilters(new URLSearchParams({ q: 'a'.repeat(300) })).q).toHaveLength(200)
  expect(readFilters(new URLSearchParams('page=-2&tag_ids=,nonsense&include_anonymous=maybe'))).toEqual(none)
})

it('writes into the address what is set, and nothing else', () => {
  expect(toQuery(readFilters(new URLSearchParams()))).toEqual({})
  const query = { q: 'carla', tag_ids: `${TAG},${OTHER}`, include_anonymous: 'false', page: '3' }
  expect(toQuery(readFilters(new URLSearchParams(query)))).toEqual(query)
})

it('keeps an order and the position of a page in the address; an unknown order counts as the usual one', () => {
  const query = { order: 'attribute', direction: 'desc', attribute: 'seats', page: '2', after: 'MTI' }
  expect(toQuery(readFilters(new URLSearchParams(query)))).toEqual(query)
  expect(toQuery(readFilters(new URLSearchParams('order=name')))).toEqual({ order: 'name', direction: 'asc' })
  for (const none of ['order=attribute', 'order=wealth', 'after=MTI', 'page=1&before=MTI']) {
    expect(toQuery(readFilters(new URLSearchParams(none)))).toEqual({})
  }
  expect(toSaved(new URLSearchParams(query))).toEqual({ order: 'attribute', direction: 'desc', attribute: 'seats' })
})

it('saves a filter without its page, and without what belongs to something else', () => {
  expect(toSaved(new URLSearchParams('q=carla&page=2&tab=notes'))).toEqual({ q: 'carla' })
})
