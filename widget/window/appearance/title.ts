import type { Appearance } from './settings.ts'
import { en, fill, type Words } from './words.ts'

/** The title. The default title of an inbox is translated, since nobody chose it. */
export function findTitle({ title, companyName }: Pick<Appearance, 'title' | 'companyName'>, words: Words): string {
  if (title) return title === en.title ? words.title : title
  return companyName ? fill(words.welcome, { company: companyName }) : words.title
}
