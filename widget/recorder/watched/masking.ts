// Everything visitors type is masked unless the website unmasks a field; passwords and payment data are always masked.

/** Replaces one character. */
const DOT = '•'
/** Replaces a password, so that its length stays secret. */
const SECRET = DOT.repeat(8)

/** Editable text outside form fields, and the choices of a field, which tell as much as what was chosen. */
export const WRITABLE =
  '[contenteditable]:not([contenteditable="false"]),[data-parley-mask],[data-parley-mask] *,option,optgroup'
export const BLOCKED = '[data-parley-block]'

const SECRET_AUTOCOMPLETE = /(^|\s)(cc-\S+|(current|new)-password|one-time-code)(\s|$)/i
const SECRET_NAME =
  /pass(word|wd|code)|secret|card.?(num|no)|cardnumber|ccnum|\bcc\b|cvv|cvc|csc|iban|\bpin\b|otp|ssn|social.?sec/i

/** Whether the content of a field never leaves the page. */
export function isSecret(field: Element): boolean {
  const { type = '' } = field as HTMLInputElement
  if (/^(password|hidden|file)$/.test(type) || field.hasAttribute('data-rr-is-password')) return true
  const names = ['name', 'id', 'aria-label', 'placeholder'].map((name) => field.getAttribute(name)).join(' ')
  return SECRET_AUTOCOMPLETE.test(field.getAttribute('autocomplete') ?? '') || SECRET_NAME.test(names)
}

/** The latest content of secret fields, which is masked wherever it appears. */
const secrets = new Map<Element, string>()
const MIN_LENGTH = 6

/**
 * Remembers the content of a secret field, in this page's memory only, so that it is masked where the page repeats it.
 */
export function rememberSecret(field: EventTarget | null) {
  // By name, because `instanceof` fails for fields in frames.
  if (!/^(input|textarea)$/i.test((field as Element | null)?.tagName ?? '')) return
  const { type, value } = field as HTMLInputElement
  if (isSecret(field as Element) && type !== 'hidden' && value.length >= MIN_LENGTH)
    secrets.set(field as Element, value)
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

/** A possible card number, with or without separators between its groups. */
const CARD = /\d(?:[ -]?\d){12,18}/g
/** Attributes that hold no text by people. */
const NOT_WRITTEN = /^(href|src|srcset|id|class|style|_cssText|d|points|rr_.*|type|timestamp)$/

/** Elements whose descriptions are masked with their content. A button has a label, but nobody types into it. */
const DESCRIBED = `input:not([type="submit"],[type="button"],[type="reset"]),textarea,select,${WRITABLE}`
/** Attributes in which pages repeat or describe the content of a field. */
const DESCRIPTIONS = ['placeholder', 'aria-label', 'title', 'alt', 'label', 'value']

/** Masks the descriptions of masked fields in one part of an event: an element, or changes of its attributes. */
function hideDescriptions(part: object, nodeOf: (id: number) => Node | null): void {
  const { id, attributes } = part as { id?: unknown; attributes?: unknown }
  if (typeof id !== 'number' || typeof attributes !== 'object' || !attributes) return
  const element = nodeOf(id) as Element | null
  // By name, because `instanceof` fails for elements in frames. An unknown one may be a field.
  if (element && (!element.matches?.(DESCRIBED) || element.closest('[data-parley-unmask]'))) return
  for (const name of DESCRIPTIONS) {
    const text: unknown = Reflect.get(attributes, name)
    if (typeof text === 'string') Reflect.set(attributes, name, hide(text))
  }
}

/**
 * Masks card numbers and remembered secrets in all texts of an event and the descriptions of masked fields, and removes
 * `srcdoc` and the query of addresses from frames. Changes the event in place.
 */
export function scrub<Event extends object>(event: Event, nodeOf: (id: number) => Node | null): Event {
  const stack: object[] = [event]
  for (let object = stack.pop(); object; object = stack.pop()) {
    hideDescriptions(object, nodeOf)
    for (const [name, value] of Object.entries(object)) {
      if (typeof value === 'object' && value) stack.push(value)
      // `srcdoc` would be unmasked; the content of the frame is recorded separately.
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
  let clean = text.length < 13 ? text : text.replace(CARD, (match) => (isCard(match) ? hide(match) : match))
  for (const secret of secrets.values()) clean = clean.replaceAll(secret, SECRET)
  return clean
}

/** The Luhn checksum. One in ten other numbers passes it, too. */
function isCard(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number)
  const sum = digits.reduce((all, digit, at) => all + (at % 2 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit), 0)
  return sum % 10 === 0
}
