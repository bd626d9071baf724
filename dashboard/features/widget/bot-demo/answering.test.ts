import { expect, test } from 'vitest'
import { findAnswer } from './answering.ts'
import { isComplete, SEEDED } from './faqs.ts'

const answerIdOf = (question: string, faqs = SEEDED) => findAnswer(faqs, question)?.id

test('the bot starts with seven questions and answers, one of them about the price', () => {
  expect(SEEDED).toHaveLength(7)
  expect(findAnswer(SEEDED, 'What is the price?')?.answer).toContain('first 2 users are free')
})

test('a question finds its answer although it is worded differently', () => {
  expect(answerIdOf('how much will it cost us')).toBe('pricing')
  expect(answerIdOf('Installing the widgets?')).toBe('install')
  expect(answerIdOf('can we reply from SLACK')).toBe('slack')
  expect(answerIdOf('changing the color')).toBe('looks')
})

test('a question that shares no important word with any pair has no answer', () => {
  expect(answerIdOf('Do you like mushrooms?')).toBeUndefined()
  expect(answerIdOf('how do i')).toBeUndefined()
  expect(answerIdOf('')).toBeUndefined()
  expect(answerIdOf('anything', [])).toBeUndefined()
})

test('a new pair is used at once, with or without accents', () => {
  const taught = [...SEEDED, { id: 'x', question: 'Giờ mở cửa?', answer: 'Từ chín giờ sáng.' }]
  expect(answerIdOf('gio mo cua', taught)).toBe('x')
})

test('neither question nor answer may be empty', () => {
  expect(isComplete({ question: 'Why?', answer: ' ' })).toBe(false)
  expect(isComplete({ question: '', answer: 'Because.' })).toBe(false)
  expect(isComplete({ question: 'Why?', answer: 'Because.' })).toBe(true)
})
