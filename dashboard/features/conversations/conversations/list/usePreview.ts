import { useSyncExternalStore } from 'react'
import { cutText } from '#contract/text/graphemes.ts'
import type { Written } from '#contract/text/markdown.ts'

/** More than a line of the list shows. */
const LENGTH = 300

let plain: typeof import('#contract/text/plain.ts') | undefined
let isLoading = false
const listeners = new Set<() => void>()

/**
 * The beginning of a message for a line in a list, without its formatting characters. What removes them is loaded after the
 * first screen; until then, or without a network, the text is as it was written.
 */
export function usePreview(message: Written | undefined): string {
  const loaded = useSyncExternalStore(subscribe, () => plain)
  if (!message) return ''
  return loaded ? loaded.previewOf(message) : cutText(message.body ?? '', LENGTH)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!plain && !isLoading) void load()
  return () => listeners.delete(listener)
}

async function load() {
  isLoading = true
  try {
    plain = await import('#contract/text/plain.ts')
    for (const listener of listeners) listener()
  } catch {
    // Tried again with the next line that is shown.
    isLoading = false
  }
}
