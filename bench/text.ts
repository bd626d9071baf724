import { findLinks } from '#contract/text/links.ts'
import { parseMarkdown } from '#contract/text/markdown.ts'
import { withoutMarks } from '#contract/text/plain.ts'
import { full, PIECES } from '#tests/support/hostile-text.ts'
import { header, report } from './figures.ts'

/**
 * `npm run bench:text`: what 50,000 characters of each hostile kind take, in milliseconds of the processor; the slowest
 * kinds. A browser reads such a text once, so the first readings count; the least of three, because collecting garbage of
 * the text before is a part of some.
 */
const SHOWN = 12
const READERS = { links: findLinks, formatting: parseMarkdown, 'plain text': withoutMarks }

/** Long enough to compare with, and nothing in it is hostile. */
const ORDINARY = full('The lamp is **dark** since Monday, see https://shop.example/lamps/12. ')

function cost(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage()
  read(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

header('50,000 characters [< 50 ms]')
for (const [name, read] of Object.entries(READERS)) {
  const least = (text: string) => Math.min(cost(read, text), cost(read, text), cost(read, text))
  const texts = PIECES.flatMap((piece) =>
    [piece, `https://x/${piece}`, `**[${piece}`].map(
      (kind) => [kind, kind.slice(0, -piece.length) + full(piece)] as const,
    ),
  )
  const rows = texts.map(([kind, text]) => [kind, least(text)] as const).sort(([, a], [, b]) => b - a)
  report(`${name}, an ordinary text`, `${least(ORDINARY).toFixed(1)} ms`)
  for (const [kind, ms] of rows.slice(0, SHOWN)) report(`  ${JSON.stringify(kind)} …`, `${ms.toFixed(1)} ms`)
}
