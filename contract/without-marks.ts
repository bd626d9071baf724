/** Words without the signs that format them, where there is no room for formatting or it has not come yet. */
export function withoutMarks(text: string): string {
  return withoutLinkMarks(text)
    .replace(/(\*\*|__|~~|`)(\S|\S.*?\S)\1/g, '$2')
    .replace(/^(#+|>) /gm, '')
}

/** `[the shop](https://shop.test)` becomes `the shop (https://shop.test)`, so that nobody loses where it leads. */
function withoutLinkMarks(text: string): string {
  return text.replace(/\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g, (_, words: string, href: string) =>
    words === href ? href : `${words} (${href})`,
  )
}
