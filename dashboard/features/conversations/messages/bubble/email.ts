import createPurifier from 'dompurify'

/** How mail programs mark quoted messages. */
const QUOTES =
  'blockquote[type="cite"], .gmail_quote, .gmail_quote_container, .yahoo_quoted, #divRplyFwdMsg ~ *, #divRplyFwdMsg'

const FORBIDDEN = [
  'form',
  'input',
  'button',
  'select',
  'textarea',
  'audio',
  'video',
  'link',
  'meta',
  'base',
  'svg',
  'math',
]

interface Shown {
  withQuote: boolean
  /** Copies of images, by their address. Other images are removed. */
  pictures: Map<string, string>
}

export interface Email {
  /** Only safe in a sandboxed frame. */
  html: string
  hasQuote: boolean
  /** Addresses of external images, whose servers would learn who reads the email and where. */
  pictures: string[]
}

/**
 * Sanitizes an email's HTML: removes scripts, forms, frames and external sources, and shows only the given copies of
 * images. Links open in a new tab. Quoted messages are removed unless they are wanted or are everything there is.
 */
export function readEmail(dirty: string, { withQuote, pictures }: Shown): Email {
  const purifier = createPurifier(window)
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName !== 'A') return
    node.setAttribute('target', '_blank')
    node.setAttribute('rel', 'noopener noreferrer nofollow')
  })
  // In a separate document, because in the page's own the images would be loaded at once.
  const { body } = document.implementation.createHTMLDocument()
  body.append(
    purifier.sanitize(dirty, {
      RETURN_DOM_FRAGMENT: true,
      FORBID_TAGS: FORBIDDEN,
      FORBID_ATTR: ['ping', 'autofocus', 'tabindex'],
      // Otherwise a style sheet at the beginning would be removed with the head.
      FORCE_BODY: true,
    }),
  )
  const addresses = new Set<string>()
  for (const picture of body.querySelectorAll('img[src^="http" i], img[srcset]')) {
    const address = picture.getAttribute('src') ?? ''
    if (/^https?:/i.test(address)) addresses.add(address)
    picture.removeAttribute('srcset')
    const copy = pictures.get(address)
    if (copy) picture.setAttribute('src', copy)
    else picture.removeAttribute('src')
  }
  const quotes = [...body.querySelectorAll(QUOTES)]
  const whole = body.innerHTML
  for (const quote of quotes) quote.remove()
  const hasQuote = quotes.length > 0 && hasText(body)
  return { html: hasQuote && !withQuote ? body.innerHTML : whole, hasQuote, pictures: [...addresses] }
}

function hasText(body: HTMLElement): boolean {
  return !!body.textContent?.trim() || !!body.querySelector('img')
}

/**
 * The page inside the frame. Its policy only allows styles and images, so that nothing runs or loads even if sanitizing
 * fails. Emails are designed for a white background, so they keep it in dark mode. Columns of tables are never narrower
 * than their longest word; a table that is too wide then scrolls.
 */
export function emailPage(html: string): string {
  return `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<style>
html { overflow: auto hidden; scrollbar-width: thin; color-scheme: light; background: #fff; }
body { margin: 0; padding: 12px 14px; color: #17222d; font: 14px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
img { max-width: 100%; height: auto; }
table { max-width: 100%; }
a { color: #0d5f7a; }
pre { white-space: pre-wrap; }
</style></head><body>${html}</body></html>`
}
