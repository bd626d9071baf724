import { describe, expect, it } from 'vitest'
import { rank, scoreOf } from './ranking.ts'

const named = (...titles: string[]) => titles.map((title) => ({ id: title, title }))
const rankTitles = (titles: string[], typed: string, recent: string[] = []) =>
  rank(named(...titles), typed, recent).map(({ title }) => title)

describe('what the palette finds', () => {
  it('matches letters in their order, wherever they are', () => {
    expect(scoreOf('Close conversation', 'clcv')).toBeDefined()
    expect(scoreOf('Close conversation', 'vc')).toBeUndefined()
  })

  it('ignores accents and case, and finds đ by d', () => {
    expect(scoreOf('Đóng cuộc trò chuyện', 'dong cuoc')).toBeDefined()
    expect(scoreOf('Assign to Zoë', 'ZOE')).toBeDefined()
  })

  it('puts whole beginnings and starts of words first', () => {
    expect(rankTitles(['Reclose it', 'Close conversation', 'Go to closed'], 'close')[0]).toBe('Close conversation')
    expect(rankTitles(['Remove a snapshot', 'Go to snoozed'], 'gs')[0]).toBe('Go to snoozed')
    expect(rankTitles(['Assign to Benedikt Almasi', 'Assign to Ben'], 'ben')[0]).toBe('Assign to Ben')
  })

  it('puts recently used entries first while nothing is typed, and keeps the order of the rest', () => {
    expect(rankTitles(['a', 'b', 'c', 'd'], '', ['d', 'b'])).toEqual(['d', 'b', 'a', 'c'])
  })

  it('does not put recently used entries before a much better match', () => {
    expect(rankTitles(['Close conversation', 'Check all of the server'], 'close', ['Check all of the server'])[0]).toBe(
      'Close conversation',
    )
  })
})
