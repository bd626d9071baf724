import { afterEach, expect, test, vi } from 'vitest'
import { isComplete, readFaqs, SEEDED } from './faqs.ts'

afterEach(() => vi.unstubAllGlobals())

const store = (faqs: unknown) => vi.stubGlobal('localStorage', { getItem: () => JSON.stringify(faqs) })

test('the bot starts with seven questions and answers, one of them about the price', () => {
  store(null)
  expect(readFaqs()).toHaveLength(7)
  expect(SEEDED.find(({ id }) => id === 'pricing')?.answer).toContain('first 2 users are free')
})

test('neither question nor answer may be empty', () => {
  expect(isComplete({ question: 'Why?', answer: ' ' })).toBe(false)
  expect(isComplete({ question: '', answer: 'Because.' })).toBe(false)
  expect(isComplete({ question: 'Why?', answer: 'Because.' })).toBe(true)
})

test('stored pairs that the search would refuse are cut or left out', () => {
  const pair = (id: string) => ({ id, question: 'Why?', answer: 'Because.' })
  const many = Array.from({ length: 60 }, (_, at) => pair(`pair-${at}`))
  store([{ ...pair('blank'), answer: ' ' }, { id: 'broken' }, { ...pair('long'), answer: 'x'.repeat(2000) }, ...many])
  const [long, ...others] = readFaqs()
  expect([long!.id, long!.answer.length, others.length]).toEqual(['long', 1000, 49])
})
