import en from '../../../locales/en/widget-help.json'

export type HelpWords = typeof en

const LOADERS = import.meta.glob<HelpWords>(['../../../locales/*/widget-help.json', '!../../../locales/en/*'], {
  import: 'default',
})

/** The texts about articles in a language; English where it lacks them, or if they cannot be loaded. */
export async function loadHelpWords(language: string): Promise<HelpWords> {
  const load = LOADERS[`../../../locales/${language}/widget-help.json`]
  return { ...en, ...(await load?.().catch(() => undefined)) }
}
