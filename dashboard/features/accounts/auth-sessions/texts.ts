import { defineTexts } from '../../../platform/texts.ts'

export const authSessionTexts = defineTexts({
  en: async () => (await import('./locales/en.ts')).en,
  vi: async () => (await import('./locales/vi.ts')).vi,
})
