interface ParsedUrl {
  href: string
  origin: string
  protocol: string
  host: string
}

/** Available in browsers and in Node; this folder uses the type library of neither. */
declare const URL: new (text: string, base?: string) => ParsedUrl

/** The parts of a URL, relative ones by the base; undefined if it is none. The oldest browsers lack `URL.parse`. */
export function parseUrl(text: string, base?: string): ParsedUrl | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
