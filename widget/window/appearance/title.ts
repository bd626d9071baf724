import { en, fill, type Labels } from './labels.ts'
import type { Appearance } from './settings.ts'

/** The title. The default title of an inbox is translated, since nobody chose it. */
export function findTitle({ title, companyName }: Pick<Appearance, 'title' | 'companyName'>, labels: Labels): string {
  if (title) return title === en.title ? labels.title : title
  return companyName ? fill(labels.welcome, { company: companyName }) : labels.title
}
