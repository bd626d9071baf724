import { expect, test } from 'vitest'
import { findLanguage } from './languages.ts'

test('the first preferred language that is available is chosen, in its own region if there is one', () => {
  const available = ['de', 'en', 'pt', 'pt-BR', 'zh-TW']
  const choose = (...preferred: (string | null | undefined)[]) => findLanguage(available, preferred)
  expect(choose('de-AT', 'en')).toBe('de')
  expect(choose('PT-br')).toBe('pt-BR')
  expect(choose('pt-PT')).toBe('pt')
  expect(choose('zh')).toBe('zh-TW')
  expect(choose(undefined, null, '', 'xx', 'en-GB')).toBe('en')
  expect(choose('xx', 'd')).toBeUndefined()
})
