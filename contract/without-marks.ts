/** Text without markdown characters, for places without formatting, or before it is loaded. */
export function withoutMarks(text: string): string {
  return withoutLinkMarks(text)
    .replace(/(\*\*|__|~~|`)(\S|\S.*?\S)\1/g, '$2')
    .replace(/^(#+|>) /gm, '')
}

/** `[the shop](https://shop.test)` becomes `the shop (https://shop.test)`, so that the target stays visible. */
function withoutLinkMarks(text: string): string {
  return text.replace(/\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g, (_, words: string, href: string) =>
    words === href ? href : `${words} (${href})`,
  )
}
