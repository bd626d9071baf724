import { createContext, use, useEffect, useState } from 'react'

/** Loads external pictures through our server, so that other servers do not see who views them. */
export interface Pictures {
  /** An address that can be shown, if the picture is already loaded. */
  peek(url: string): string | undefined
  /** The same after loading; undefined if there is no such picture. */
  load(url: string): Promise<string | undefined>
}

export const PictureSource = createContext<Pictures>({ peek: () => undefined, load: async () => undefined })

/** The address may still be being typed. */
const PAUSE_MS = 400

/** An address that can be shown; undefined while loading, and if there is none. */
export function usePicture(url: string | null | undefined): string | undefined {
  const source = use(PictureSource)
  const [loaded, setLoaded] = useState<{ url: string; address: string | undefined }>()
  const cached = url ? source.peek(url) : undefined
  const isReplacing = loaded !== undefined && loaded.url !== url
  useEffect(() => {
    if (!url || cached) return
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
  }, [source, url, cached, isReplacing])
  return cached ?? (loaded?.url === url ? loaded?.address : undefined)
}
