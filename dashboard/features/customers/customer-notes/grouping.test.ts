import i18next from 'i18next'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { groupNotes, noteTime } from './grouping.ts'

beforeAll(async () => void (await i18next.init({ lng: 'en' })))
afterEach(async () => void (await i18next.changeLanguage('en')))

const note = (id: string, customer_id: string, created_at: string) => ({
  id,
  created_at,
  customer: { id: customer_id },
})

it('groups notes by the day in UTC, newest first, and within a day by customer', () => {
  const days = groupNotes([
    note('early', 'carla', '2026-11-20T00:10:00.000Z'),
    note('late', 'carla', '2026-11-20T23:50:00.000Z'),
    note('next', 'carla', '2026-11-21T00:05:00.000Z'),
    note('other', 'tom', '2026-11-20T12:00:00.000Z'),
  ])
  expect(
    days.map(({ title, customers }) => [title, customers.map((group) => group.notes.map(({ id }) => id))]),
  ).toEqual([
    ['November 21, 2026', [['next']]],
    ['November 20, 2026', [['late', 'early'], ['other']]],
  ])
  expect(groupNotes([])).toEqual([])
})

it('shows the time of a note in UTC', () => {
  expect(noteTime('2026-11-20T23:50:00.000Z')).toBe('Fri, Nov 20 11:50 PM')
})

it('in Vietnamese the day stands before its month, and the hours count to 24', async () => {
  await i18next.changeLanguage('vi')
  expect(noteTime('2026-11-20T23:50:00.000Z')).toBe('Thứ 6, 20 thg 11 23:50')
  expect(groupNotes([note('one', 'carla', '2026-11-20T00:10:00.000Z')])[0]?.title).toBe('20 tháng 11, 2026')
})
