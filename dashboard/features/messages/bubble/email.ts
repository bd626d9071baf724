import createPurifier from 'dompurify'

/** What mail programs wrap the earlier messages in. */
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
  /** Copies of pictures, by their addresses. The others are left out. */
  pictures: Map<string, string>
}

export interface Email {
  /** Safe to be drawn in a frame without rights, and nowhere else. */
  html: string
  hasQuote: boolean
  /** Addresses of pictures elsewhere, whose owner would learn who reads it and where. */
  pictures: string[]
}

/**
 * What remains of an e-mail's HTML: no scripts, forms, frames or sources of other kinds, and of pictures elsewhere only the copies given. Links open beside the dashboard.
 * Earlier messages are taken out unless they are wanted or are all there is.
 */
export function readEmail(dirty: string, { withQuote, pictures }: Shown): Email {
  const purifier = createPurifier(window)
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName !== 'A') return
    node.setAttribute('target', '_blank')
    node.setAttribute('rel', 'noopener noreferrer nofollow')
  })
  // In a page of its own that is never shown: in ours, pictures would be fetched at once.
  const { body } = document.implementation.createHTMLDocument()
  body.append(
    purifier.sanitize(dirty, {
      RETURN_DOM_FRAGMENT: true,
      FORBID_TAGS: FORBIDDEN,
      FORBID_ATTR: ['ping', 'autofocus', 'tabindex'],
      // A style sheet that stands first is otherwise lost with the head.
      FORCE_BODY: true,
    }),
  )
  const wanted = new Set<string>()
  for (const picture of body.querySelectorAll('img[src^="http" i], img[srcset]')) {
    const address = picture.getAttribute('src') ?? ''
    if (/^https?:/i.test(address)) wanted.add(address)
    picture.removeAttribute('srcset')
    const copy = pictures.get(address)
    if (copy) picture.setAttribute('src', copy)
    else picture.removeAttribute('src')
  }
  const quotes = [...body.querySelectorAll(QUOTES)]
  const whole = body.innerHTML
  for (const quote of quotes) quote.remove()
  const hasQuote = quotes.length > 0 && hasText(body)
  return { html: hasQuote && !withQuote ? body.innerHTML : whole, hasQuote, pictures: [...wanted] }
}

function hasText(body: HTMLElement): boolean {
  return !!body.textContent?.trim() || !!body.querySelector('img')
}

/**
 * The page inside the frame. Its own rules forbid everything but styles and pictures, so that nothing runs and nothing is
 * fetched even where cleaning failed. E-mails are written for white paper, so they lie on it in dark colours too.
 */
export function emailPage(html: string): string {
  return `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<style>
html { color-scheme: light; background: #fff; }
body { margin: 0; padding: 12px 14px; color: #17222d; font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
table { max-width: 100%; }
a { color: #0d5f7a; }
pre { white-space: pre-wrap; }
</style></head><body>${html}</body></html>`
}
