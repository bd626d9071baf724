/** Words without the signs that format them, where there is no room for formatting or it has not come yet. */
export function withoutMarks(text: string): string {
  return text.replace(/(\*\*|__|~~|`)(\S|\S.*?\S)\1/g, '$2').replace(/^(#+|>) /gm, '')
}
