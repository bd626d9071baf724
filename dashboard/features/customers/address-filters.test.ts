import { expect, it } from 'vitest'
import { readFilters, toQuery, toSaved } from './address-filters.ts'

it('reads filters out of the address; anonymous customers are included unless it says otherwise', () => {
  const none = { q: '', tag_ids: [], include_anonymous: true, page: 1 }
  expect(readFilters(new URLSearchParams())).toEqual(none)
  expect(readFilters(new URLSearchParams('q=carla&tag_ids=a,b&include_anonymous=false&page=3'))).toEqual({
    q: 'carla',
    tag_ids: ['a', 'b'],
    include_anonymous: false,
    page: 3,
  })
  expect(readFilters(new URLSearchParams('page=-2&tag_ids=,&include_anonymous=maybe'))).toEqual(none)
})

it('writes into the address what is set, and nothing else', () => {
  expect(toQuery(readFilters(new URLSearchParams()))).toEqual({})
  const query = { q: 'carla', tag_ids: 'a,b', include_anonymous: 'false', page: '3' }
  expect(toQuery(readFilters(new URLSearchParams(query)))).toEqual(query)
})

it('saves a filter without its page, and without what belongs to something else', () => {
  expect(toSaved(new URLSearchParams('q=carla&page=2&tab=notes'))).toEqual({ q: 'carla' })
})
