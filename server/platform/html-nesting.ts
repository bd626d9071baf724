import { Parser } from 'htmlparser2'

/**
 * HTML up to the element that is nested too deeply; all of it if there is none. Libraries that build a tree of elements
 * take time with the square of its depth, or call themselves for each level until the stack overflows.
 */
export function cutNesting(html: string, limit: number): string {
  let depth = 0
  let end = html.length
  const parser = new Parser({
    onopentagname() {
      if (++depth <= limit) return
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
