// What visitors type stays with them. Everything they type is masked unless the website unmasks a field; what could pay or
// sign in is masked whatever the website says.

/** What stands in the place of a character. */
const DOT = '•'
/** In the place of a password, whose length is nobody's business. */
const SECRET = DOT.repeat(8)

/** Where people write text that is no field. */
export const WRITABLE = '[contenteditable]:not([contenteditable="false"]),[data-parley-mask],[data-parley-mask] *'
export const BLOCKED = '[data-parley-block]'

const SECRET_AUTOCOMPLETE = /(^|\s)(cc-\S+|(current|new)-password|one-time-code)(\s|$)/i
const SECRET_NAME =
  /pass(word|wd|code)|secret|card.?(num|no)|cardnumber|ccnum|\bcc\b|cvv|cvc|csc|iban|\bpin\b|otp|ssn|social.?sec/i

/** Whether what is in a field never leaves the page. */
export function isSecret(field: Element): boolean {
  const { type = '' } = field as HTMLInputElement
  if (/^(password|hidden|file)$/.test(type) || field.hasAttribute('data-rr-is-password')) return true
  const said = ['name', 'id', 'aria-label', 'placeholder'].map((name) => field.getAttribute(name)).join(' ')
  return SECRET_AUTOCOMPLETE.test(field.getAttribute('autocomplete') ?? '') || SECRET_NAME.test(said)
}

/** Fields whose last secrets are looked for in all that is sent. */
const secrets = new Map<Element, string>()
const SHORTEST = 6

/** Remembers what is in a secret field, in this page's memory alone, so that it is found where the page repeats it. */
export function noteSecret(field: EventTarget | null) {
  // By name, because a field in a frame is none of this window's.
  if (!/^(input|textarea)$/i.test((field as Element | null)?.tagName ?? '')) return
  const { type, value } = field as HTMLInputElement
  if (isSecret(field as Element) && type !== 'hidden' && value.length >= SHORTEST) secrets.set(field as Element, value)
}

export function maskInput(text: string, field?: HTMLElement): string {
  if (field && isSecret(field)) return SECRET.slice(0, text.length * SECRET.length)
  return field?.closest('[data-parley-unmask]') ? text : hide(text)
}

export function maskText(text: string, element: HTMLElement | null): string {
  return element?.closest('[data-parley-unmask]') ? text : hide(text)
}

export function hide(text: string): string {
  return text.replace(/\S/g, DOT)
}

/** How cards are numbered, with what people put between the groups. */
const CARD = /\d(?:[ -]?\d){12,18}/g
/** Addresses, styles and names of things are left alone: there it is not what people write. */
const NOT_WRITTEN = /^(href|src|srcset|id|class|style|_cssText|d|points|rr_.*|type|timestamp)$/

/**
 * Takes card numbers and remembered secrets out of all texts of an event, and of frames their source and what stands behind
 * `?` in their address. Changes it in place.
 */
export function scrub<Event extends object>(event: Event): Event {
  const left: object[] = [event]
  for (let object = left.pop(); object; object = left.pop()) {
    for (const [name, value] of Object.entries(object)) {
      if (typeof value === 'object' && value) left.push(value)
      // The source of a frame, in which nothing is masked. What stands in the frame is recorded apart.
      if (name === 'srcdoc') Reflect.deleteProperty(object, name)
      if (name === 'rr_src' && typeof value === 'string') Reflect.set(object, name, value.replace(/[?#].*/, ''))
      if (typeof value !== 'string' || NOT_WRITTEN.test(name)) continue
      const clean = scrubText(value)
      if (clean !== value) Reflect.set(object, name, clean)
    }
  }
  return event
}

function scrubText(text: string): string {
  let clean = text.length < 13 ? text : text.replace(CARD, (found) => (isCard(found) ? hide(found) : found))
  for (const secret of secrets.values()) clean = clean.replaceAll(secret, SECRET)
  return clean
}

/** The check that all card numbers pass, and one in ten of other numbers. */
function isCard(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number)
  const sum = digits.reduce((all, digit, at) => all + (at % 2 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit), 0)
  return sum % 10 === 0
}
