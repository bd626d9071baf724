import { Parser } from 'htmlparser2'

interface MarkupLimits {
  /** Elements within each other. */
  depth: number
  /** Elements in all. */
  elements?: number
}

/**
 * HTML up to the element that is nested too deeply or is one too many; all of it if there is none. Libraries that build a
 * tree of elements take time with the square of its depth, or call themselves for each level until the stack overflows;
 * and each element costs them far more than the characters of its tag.
 */
export function cutMarkup(
  html: string,
  { depth: maxDepth, elements = Number.POSITIVE_INFINITY }: MarkupLimits,
): string {
  let depth = 0
  let count = 0
  let end = html.length
  const parser = new Parser({
    onopentagname() {
      if (++depth <= maxDepth && ++count <= elements) return
      end = parser.startIndex
      parser.pause()
    },
    onclosetag() {
      depth--
    },
  })
  parser.write(html)
  return html.slice(0, end)
}
