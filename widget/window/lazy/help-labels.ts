import en from '../../../locales/en/widget-help.json'

export type HelpLabels = typeof en

const LOADERS = import.meta.glob<HelpLabels>(['../../../locales/*/widget-help.json', '!../../../locales/en/*'], {
  import: 'default',
})

/** The texts about articles in a language; English where it lacks them, or if they cannot be loaded. */
export async function loadHelpLabels(language: string): Promise<HelpLabels> {
  const load = LOADERS[`../../../locales/${language}/widget-help.json`]
  return { ...en, ...(await load?.().catch(() => undefined)) }
}
