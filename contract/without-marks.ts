/**
 * Text without markdown characters, for places without formatting, or before it is loaded. All lengths are bounded:
 * otherwise thousands of opening brackets would take quadratic time.
 */
export function withoutMarks(text: string): string {
  return withoutLinkMarks(text)
    .replace(/(\*\*|__|~~|`)(\S|\S.{0,300}?\S)\1/g, '$2')
    .replace(/^(#+|>) /gm, '')
}

/** `[the shop](https://shop.test)` becomes `the shop (https://shop.test)`, so that the target stays visible. */
function withoutLinkMarks(text: string): string {
  return text.replace(/\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s)]{1,2000})\)/g, (_, words: string, href: string) =>
    words === href ? href : `${words} (${href})`,
  )
}

/** More than any list shows of a message. */
const PREVIEW = 300

/** The beginning of a message without markdown characters, for a line in a list. */
export function previewOf(text: string): string {
  return withoutMarks(text.slice(0, 2 * PREVIEW))
    .trim()
    .slice(0, PREVIEW)
}
