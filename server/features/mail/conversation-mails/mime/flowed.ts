/** Joins the lines of `format=flowed` text that a program has broken. Takes time in proportion to its length. */
export function joinFlowed(text: string, deletesSpace: boolean): string {
  const paragraphs: { depth: number; lines: string[] }[] = []
  let isOpen = false
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const depth = /^>*/.exec(line)![0].length
    const content = line.slice(depth).replace(/^ /, '')
    const last = paragraphs.at(-1)
    const isSignature = content === '-- '
    const isSoft = content.endsWith(' ') && !isSignature
    const piece = isSoft && deletesSpace ? content.slice(0, -1) : content
    if (isOpen && last?.depth === depth && !isSignature) last.lines.push(piece)
    else paragraphs.push({ depth, lines: [piece] })
    isOpen = isSoft
  }
  return paragraphs
    .map(({ depth, lines }) => `${'>'.repeat(depth)}${depth > 0 && lines.join('') ? ' ' : ''}${lines.join('')}`)
    .join('\n')
}
