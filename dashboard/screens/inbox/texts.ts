import { defineTexts } from '../../platform/texts.ts'

/** The texts of the inbox and the frame: several features in one file. */
export const inboxScreenTexts = defineTexts({
  en: async () => (await import('./locales/en.ts')).en,
  vi: async () => (await import('./locales/vi.ts')).vi,
})
