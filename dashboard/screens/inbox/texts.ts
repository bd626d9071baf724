import { defineTexts } from '../../platform/texts.ts'

/** What is said in the inbox and by the frame around all pages: the texts of several features in one file. */
export const inboxScreenTexts = defineTexts({
  en: async () => (await import('./locales/en.ts')).en,
  vi: async () => (await import('./locales/vi.ts')).vi,
})
