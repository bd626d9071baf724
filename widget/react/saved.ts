import { useEffect, useRef, useState } from 'react'
import { resolveSettings } from '../loader/config.ts'
import { fetchSettings } from '../loader/settings.ts'
import type { ParleyConfig } from '../loader/types.ts'
import type { LoadOptions } from './parley.ts'

/** The saved settings of the inbox; empty when the server did not answer. */
export interface SavedSettings {
  title?: string | null
  subtitle?: string | null
  greeting?: string | null
  account?: { company_name?: string; is_outside_working_hours?: boolean }
  [setting: string]: unknown
}

type MakeText = (settings: SavedSettings) => string | Promise<string>

/**
 * Functions that make texts from the saved settings, once, before the chat is shown. Their results replace the texts in
 * the props.
 */
export interface TextMakers {
  setDefaultTitle?: MakeText
  setDefaultSubtitle?: MakeText
  setDefaultGreeting?: MakeText
}

interface SavedValues {
  texts: Pick<ParleyConfig, 'title' | 'subtitle' | 'greeting'>
  isOutsideWorkingHours: boolean
}

const NOTHING: SavedValues = { texts: {}, isOutsideWorkingHours: false }

/** Values derived from the saved settings; undefined while they load. Fetches only if `isWanted`. */
export function useSaved(props: LoadOptions & TextMakers, isWanted: boolean): SavedValues | undefined {
  const [values, setValues] = useState(isWanted ? undefined : NOTHING)
  const first = useRef(props)
  useEffect(() => {
    if (!isWanted) return
    let isUnmounted = false
    void loadValues(first.current).then((loaded) => isUnmounted || setValues(loaded))
    return () => {
      isUnmounted = true
    }
  }, [isWanted])
  return values
}

export function makesTexts({ setDefaultTitle, setDefaultSubtitle, setDefaultGreeting }: TextMakers): boolean {
  return !!(setDefaultTitle || setDefaultSubtitle || setDefaultGreeting)
}

async function loadValues(props: LoadOptions & TextMakers): Promise<SavedValues> {
  const settings: SavedSettings = (await fetchSettings(resolveSettings(props, props.baseUrl))) ?? {}
  const makers = {
    title: props.setDefaultTitle,
    subtitle: props.setDefaultSubtitle,
    greeting: props.setDefaultGreeting,
  }
  const made = Object.entries(makers).map(async ([name, make]) => [name, await makeText(make, settings)] as const)
  const texts = (await Promise.all(made)).filter(([, text]) => text !== undefined)
  return { texts: Object.fromEntries(texts), isOutsideWorkingHours: !!settings.account?.is_outside_working_hours }
}

/** If the website's function fails, the saved text is used. */
async function makeText(make: MakeText | undefined, settings: SavedSettings): Promise<string | undefined> {
  try {
    return await make?.(settings)
  } catch (error) {
    console.error(error)
    return undefined
  }
}
