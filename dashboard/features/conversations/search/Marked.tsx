import type { Excerpt } from '#contract/conversations/search.ts'

/** A part of a text with its matching words marked. */
export function Marked({ excerpt: { text, ranges } }: { excerpt: Excerpt }) {
  let at = 0
  return (
    <>
      {ranges.map(({ start, end }) => {
        const before = text.slice(at, start)
        at = end
        return (
          <span key={start}>
            {before}
            <mark>{text.slice(start, end)}</mark>
          </span>
        )
      })}
      {text.slice(at)}
    </>
  )
}
