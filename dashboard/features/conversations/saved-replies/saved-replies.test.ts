import { describe, expect, it } from 'vitest'
import { searchReplies, withoutSlashes } from './queries.ts'

const replies = [
  { id: 'a1', name: 'hello', content: 'Good morning! How can we help?' },
  { id: 'b2', name: 'refund', content: 'Your money is back within\nfive days.' },
  { id: 'c3', name: 'tạm biệt', content: 'Cảm ơn bạn, chúc một ngày tốt lành!' },
]

function searchIds(text: string): string[] {
  return searchReplies(replies, text).map((reply) => reply.id)
}

describe('the search of saved replies', () => {
  it('finds everything while nothing is typed', () => {
    expect(searchIds('')).toEqual(['a1', 'b2', 'c3'])
    expect(searchIds('   ')).toEqual(['a1', 'b2', 'c3'])
  })

  it('looks into id, name and content', () => {
    expect(searchIds('b2')).toEqual(['b2'])
    expect(searchIds('hell')).toEqual(['a1'])
    expect(searchIds('money')).toEqual(['b2'])
  })

  it('ignores case and the encoding of accented letters', () => {
    expect(searchIds('GOOD')).toEqual(['a1'])
    expect(searchIds('TẠM')).toEqual(['c3'])
    expect(searchIds('tạm'.normalize('NFD'))).toEqual(['c3'])
  })

  it('requires every term, each in any of the fields', () => {
    expect(searchIds('refund  days')).toEqual(['b2'])
    expect(searchIds('refund morning')).toEqual([])
  })

  it('finds a name as it is shown, with its slash', () => {
    expect(searchIds('/hel')).toEqual(['a1'])
    expect(searchIds('/good')).toEqual([])
  })
})

it('removes slashes from a name before it is sent', () => {
  expect(withoutSlashes('/hello/there')).toBe('hellothere')
})
