import type { Appearance } from './settings.ts'
import { en, fill, type Words } from './words.ts'

/** What stands at the top. The title that an inbox begins with is nobody's choice, so it is said in the window's language. */
export function findTitle({ title, companyName }: Pick<Appearance, 'title' | 'companyName'>, words: Words): string {
  if (title) return title === en.title ? words.title : title
  return companyName ? fill(words.welcome, { company: companyName }) : words.title
}
