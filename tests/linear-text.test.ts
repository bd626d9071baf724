import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstGrapheme } from '#contract/text/first-grapheme.ts'
import { cutText } from '#contract/text/graphemes.ts'
import { findLinks } from '#contract/text/links.ts'
import { parseMarkdown, parseMessage } from '#contract/text/markdown.ts'
import { plainText, previewOf, withoutMarks } from '#contract/text/plain.ts'
import { full, LENGTH, PIECES } from './support/hostile-text.ts'

const READERS: Record<string, (text: string) => unknown> = {
  links: findLinks,
  markdown: parseMarkdown,
  'what a customer typed': (body) => parseMessage({ body, customer_id: 'c' }),
  'plain text': withoutMarks,
  preview: (body) => [previewOf({ body, customer_id: null }), previewOf({ body, customer_id: 'c' })],
  cut: (text) => [cutText(text, 100), cutText(text, LENGTH - 1), firstGrapheme(text)],
}

/** CPU time in milliseconds, because wall-clock time depends on what else runs on the machine. */
function cost(read: () => unknown): number {
  const before = process.cpuUsage()
  read()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

// A hundred milliseconds is ordinary on a busy machine; quadratic time would be minutes.
describe.each(Object.entries(READERS))('50,000 characters of anything: %s', (_name, read) => {
  it.each(PIECES)('repeated %j takes no time', (piece) => {
    for (const text of [full(piece), `https://x/${full(piece)}`, `**[${full(piece)}`])
      expect(cost(() => read(text))).toBeLessThan(2_000)
  })

  it('repeated mixtures take no time', () => {
    const unit = fc.array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 6 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(unit, (repeated) => {
        expect(cost(() => read(full(repeated)))).toBeLessThan(2_000)
      }),
      { numRuns: 40, seed: 20_261_126 },
    )
  })
})

it('in a text of nothing but marks, those beyond the first thousands stay as they are, and links are links', () => {
  const body = `${'a`b`'.repeat(12_000)} https://shop.example`
  expect(plainText({ body, customer_id: null })).toMatch(/^(ab){100}.*(a`b`){5000} https:\/\/shop\.example$/s)
  const { children } = parseMarkdown(body)[0] as { children: unknown[] }
  expect(children.length).toBeLessThan(5_010)
  expect(children.at(-1)).toMatchObject({ type: 'link', href: 'https://shop.example' })
})

it('no text is lost or added by reading links', () => {
  const text = fc.array(fc.constantFrom(...PIECES, 'http://shop.example/a', 'é', 'x'), { maxLength: 30 })
  fc.assert(
    fc.property(text, (pieces) => {
      const body = `x${pieces.join('')}x`
      expect(plainText({ body, customer_id: 'c' })).toBe(body)
      for (const { text: shown, at } of findLinks(body)) expect(body.slice(at, at + shown.length)).toBe(shown)
      expect(JSON.stringify(parseMessage({ body, customer_id: 'c' }))).not.toMatch(/strong|emphasis|"code"/)
    }),
    { numRuns: 300, seed: 20_261_126 },
  )
})
