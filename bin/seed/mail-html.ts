/** A text as mail programs write it. */
export function asHtml(body: string): string {
  const text = body.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[char]!)
  const paragraphs = text.split('\n\n').map((paragraph) => {
    const items = paragraph.split('\n')
    return items.every((item) => item.startsWith('- '))
      ? `<ul>${items.map((item) => `<li>${item.slice(2)}</li>`).join('')}</ul>`
      : `<p>${items.join('<br>')}</p>`
  })
  return `<html><body><div style="font-family: Helvetica, Arial, sans-serif; font-size: 14px; color: #222">${paragraphs.join('')}</div></body></html>`
}
