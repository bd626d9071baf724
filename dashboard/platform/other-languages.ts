import type { TextLoaders } from './texts.ts'

/** The texts of every language but English. */
export const OTHER_LANGUAGES: TextLoaders = import.meta.glob(
  ['../../locales/*/dashboard/*.json', '!../../locales/en/**'],
  { import: 'default' },
)
