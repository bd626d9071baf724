import { createContext, use, useEffect, useState } from 'react'

/** Where pictures on other servers come from, so that those servers do not see who looks at them. */
export interface Pictures {
  /** An address that the page may show, if the picture is there already. */
  peek(url: string): string | undefined
  /** The same once it has been fetched; undefined when there is no such picture. */
  load(url: string): Promise<string | undefined>
}

export const PictureSource = createContext<Pictures>({ peek: () => undefined, load: async () => undefined })

/** Somebody may be typing the address. */
const PAUSE_MS = 400

/** The address at which a picture can be shown; undefined while it is on its way and when there is none. */
export function usePicture(url: string | null | undefined): string | undefined {
  const source = use(PictureSource)
  const [loaded, setLoaded] = useState<{ url: string; address: string | undefined }>()
  const known = url ? source.peek(url) : undefined
  const isReplacing = loaded !== undefined && loaded.url !== url
  useEffect(() => {
    if (!url || known) return
    let isStale = false
    const timer = setTimeout(
      async () => {
        const address = await source.load(url)
        if (!isStale) setLoaded({ url, address })
      },
      isReplacing ? PAUSE_MS : 0,
    )
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [source, url, known, isReplacing])
  return known ?? (loaded?.url === url ? loaded?.address : undefined)
}
