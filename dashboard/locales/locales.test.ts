import { expect, it } from 'vitest'
import { en } from './en.ts'
import { labels } from './labels.ts'
import { vi } from './vi.ts'

/** Paths of all texts. Vietnamese has one plural form, so the forms of English count as one. */
function paths(texts: object, path = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' ? paths(value, `${path}${key}.`) : `${path}${key.replace(/_(one|other)$/, '_plural')}`,
  )
}

it('says everything in Vietnamese that it says in English', () => {
  expect(new Set(paths(vi))).toEqual(new Set(paths(en)))
  expect(paths(labels.vi)).toEqual(paths(labels.en))
})

it('labels messages in Vietnamese as the specification has it', () => {
  expect(labels.vi).toMatchObject({ just_now: 'vừa xong', sent: 'Đã gửi {{time}}', seen: 'Đã xem {{time}}' })
})
