/** Blanks and dashes are what people write between the groups of a card number. */
const CARD = /(?<![\p{L}\p{N}])\d(?:[ \-\u00A0]?\d){12,18}(?![\p{L}\p{N}])/gu

/** Keys and tokens that tell by their beginning what they are, ours among them. */
const TOKENS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:parley|pk|sk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abeoprs]|xapp|whsec|shpat|npm|hf|AIza|ya29\.)[-_]?[A-Za-z0-9][\w-]{18,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:Bearer|Basic)\s+[\w.~+/-]{12,}=*/gi,
]

/** What forms hide while it is typed, as people write it into a text: “password: …”, in the languages of the dashboard. */
const HIDDEN_FIELD =
  /((?<!\p{L})(?:pass ?(?:word|code|phrase)|passwor[dt]|kennwort|mot de passe|contraseña|senha|palavra-passe|mật khẩu|pin|cvv2?|cvc2?|otp|api[ -]?key|secret|token)[\p{L} ]{0,20}?\s*(?:[:=]|(?<!\p{L})(?:is|ist|est|es|é|là)(?!\p{L}))\s*)(?!\[removed|\[\[\d)["“'`]?[^\s"”'`,;]{3,}["”'`]?/giu

const ADDRESS = /https?:\/\/[^\s<>"'`)\]]+/gi
const SECRET_PARAMETER = /token|secret|signature|\bsig\b|password|passwd|api_?key|\bkey\b|\bcode\b|\bauth|session|otp/i
/** Random characters: letters of both cases with digits, or many hexadecimal digits. Names in addresses have neither. */
const RANDOM = /(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{20,}|\b[0-9a-f]{32,}\b/

/** What must not leave the house. */
type SecretKind = 'link' | 'secret' | 'card number'

/**
 * A text without what must not leave the house: numbers of payment cards, passwords and what else forms hide, keys and
 * tokens, and links that give access to whoever has them. Each is replaced by a word that says what was there.
 */
export function scrub(
  text: string,
  replace: (secret: string, kind: SecretKind) => string = (_, kind) => `[removed ${kind}]`,
): string {
  const withoutLinks = text.replace(ADDRESS, (address) => (givesAccess(address) ? replace(address, 'link') : address))
  const withoutTokens = TOKENS.reduce(
    (scrubbed, pattern) => scrubbed.replace(pattern, (secret) => replace(secret, 'secret')),
    withoutLinks,
  )
  return withoutTokens
    .replace(HIDDEN_FIELD, (all, name: string) => name + replace(all.slice(name.length), 'secret'))
    .replace(CARD, (digits) => (isCardNumber(digits) ? replace(digits, 'card number') : digits))
}

/** Whether who opens an address needs nothing else to get in. */
function givesAccess(address: string): boolean {
  const url = URL.parse(address)
  if (!url) return RANDOM.test(address)
  if (url.password) return true
  const parameters = [...url.searchParams, ...new URLSearchParams(url.hash.slice(1))]
  return (
    parameters.some(([name, value]) => value !== '' && (SECRET_PARAMETER.test(name) || RANDOM.test(value))) ||
    RANDOM.test(url.pathname)
  )
}

/** By the check digit (Luhn), which one in ten other numbers has as well. */
function isCardNumber(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].map(Number).reverse()
  const sum = digits.reduce((total, digit, at) => {
    const counted = at % 2 === 1 ? digit * 2 : digit
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}
