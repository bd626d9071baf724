import type { WrittenText } from '#contract/conversations/writing-help.ts'
import { findLinks, type Link } from '#contract/text/links.ts'

/** What replaces something that no source has. Whoever reads the draft sees the gap. */
const GAP = '[…]'

const NUMBERS = /[ \t]*\[\d{1,2}(?:\s*,\s*\d{1,2})*\]/g
/** Models often put the number of a source behind the full stop. */
const STOP_BEFORE_NUMBERS = /([.!?…。！？]+)((?:[ \t]*\[\d{1,2}(?:\s*,\s*\d{1,2})*\])+)/g

const MAIL = /[^\s<>()[\]"',;:@]{1,64}@[^\s<>()[\]"',;:@]{1,255}\.[\p{L}]{2,}/gu
const AMOUNT = String.raw`\d{1,12}(?:[.,'’\u00A0\u202F ]\d{2,3})*`
const CURRENCY = String.raw`[$€£¥₫₹₩₽฿]|(?:USD|EUR|GBP|CHF|VND|JPY|BRL|R\$|SEK|NOK|DKK|PLN|CZK|euros?|dollars?|pounds?|kr|zł|đồng|đ)(?!\p{L})`
const PRICE = new RegExp(
  String.raw`(?:${CURRENCY})[ \u00A0]?${AMOUNT}|(?<![\d.,])${AMOUNT}[ \u00A0]?(?:${CURRENCY})`,
  'giu',
)

/** A text without links, mail addresses and prices that are not in what it was made from, and what was removed. */
export function removeUnfounded(text: string, source: string): { text: string; removed: string[] } {
  const removed = new Set<string>()
  const amounts = new Set([...source.matchAll(PRICE)].map(([price]) => amountOf(price)))
  const folded = source.toLowerCase()
  const links = new Set(linksIn(source).map(({ text: link }) => sameLink(link)))
  const strike = (match: string, isKnown: boolean) => {
    if (isKnown) return match
    removed.add(match)
    return GAP
  }
  let kept = ''
  let end = 0
  for (const { at, text: link } of linksIn(text)) {
    // The beginning of another link leads elsewhere.
    kept += text.slice(end, at) + strike(link, links.has(sameLink(link)))
    end = at + link.length
  }
  const checked = (kept + text.slice(end))
    .replace(MAIL, (mail) => strike(mail, folded.includes(mail.toLowerCase())))
    .replace(PRICE, (price) => strike(price, amounts.has(amountOf(price))))
  return { text: checked, removed: [...removed] }
}

/** The web addresses in a text. */
function linksIn(text: string): Link[] {
  return findLinks(text).filter(({ href }) => !href.startsWith('mailto:'))
}

/** Links that lead to the same page, however they are written. */
function sameLink(link: string): string {
  return link.toLowerCase().replace(/\/$/, '')
}

/** The amount of a price, however it is written: `1.200,00 €` and `€1,200`. */
function amountOf(price: string): string {
  const digits = price.replace(/[^\d.,]/g, '').replace(/^[.,]+|[.,]+$/g, '')
  const cents = /^(.*)[.,](\d{2})$/.exec(digits)
  const whole = (cents?.[1] ?? digits).replace(/\D/g, '')
  return cents && cents[2] !== '00' ? `${whole}.${cents[2]}` : whole
}

/** A draft without the numbers of its sources, and which sentence names which sources. */
export function readSentences(draft: string, sources: number): Pick<WrittenText, 'text' | 'sentences'> {
  const numbered = draft.replace(STOP_BEFORE_NUMBERS, (_, stop: string, numbers: string) => `${numbers}${stop}`)
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(numbered)].flatMap(
    ({ segment }) => {
      const named = [...segment.matchAll(NUMBERS)].flatMap(([numbers]) => numbers.match(/\d+/g) ?? []).map(Number)
      const text = segment.replace(NUMBERS, '').trim()
      if (!/[\p{L}\p{N}]/u.test(text)) return []
      return [{ text, sources: [...new Set(named)].filter((number) => number >= 1 && number <= sources) }]
    },
  )
  return { text: numbered.replace(NUMBERS, '').trim(), sentences }
}
