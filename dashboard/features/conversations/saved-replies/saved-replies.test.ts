import { describe, expect, it } from 'vitest'
import { searchReplies, withoutSlashes } from './queries.ts'

const replies = [
  { id: 'a1', name: 'hello', content: 'Good morning! How can we help?' },
  { id: 'b2', name: 'refund', content: 'Your money is back within\nfive days.' },
  { id: 'c3', name: 'tạm biệt', content: 'Cảm ơn bạn, chúc một ngày tốt lành!' },
]

function found(text: string): string[] {
  return searchReplies(replies, text).map((reply) => reply.id)
}

describe('the search of saved replies', () => {
  it('finds everything while nothing is typed', () => {
    expect(found('')).toEqual(['a1', 'b2', 'c3'])
    expect(found('   ')).toEqual(['a1', 'b2', 'c3'])
  })

  it('looks into id, name and content', () => {
    expect(found('b2')).toEqual(['b2'])
    expect(found('hell')).toEqual(['a1'])
    expect(found('money')).toEqual(['b2'])
  })

  it('ignores case and the encoding of accented letters', () => {
    expect(found('GOOD')).toEqual(['a1'])
    expect(found('TẠM')).toEqual(['c3'])
    expect(found('tạm'.normalize('NFD'))).toEqual(['c3'])
  })

  it('requires every term, each in any of the fields', () => {
    expect(found('refund  days')).toEqual(['b2'])
    expect(found('refund morning')).toEqual([])
  })

  it('finds a name as it is shown, with its slash', () => {
    expect(found('/hel')).toEqual(['a1'])
    expect(found('/good')).toEqual([])
  })
})

it('removes slashes from a name before it is sent', () => {
  expect(withoutSlashes('/hello/there')).toBe('hellothere')
})
