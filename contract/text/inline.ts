import { findLinks, type Link, safeHref } from './links.ts'

/** An inline element. Text is never interpreted as HTML. */
export type Inline =
  | { type: 'text' | 'code'; text: string }
  | { type: 'emphasis' | 'strong' | 'delete'; children: Inline[] }
  | { type: 'link'; href: string; children: Inline[] }

/** A run of `*`, `_` or `~` that may open or close emphasis. */
interface Mark {
  type: 'mark'
  char: string
  count: number
  opens: boolean
  closes: boolean
}
type Token = Inline | Mark

const MAX_OPEN = 12
/** Parts of a paragraph after which marks stay text. People write some hundred; each is work for everybody who reads it. */
const MAX_TOKENS = 5_000
/** Between the parts of a path or of a name in a program. */
const JOINING = './\\:@=#$&('
const ESCAPABLE = '*_~`[]'
/** What follows the closing bracket of a link: an address, possibly with one pair of brackets inside, and a title. */
const TARGET =
  /\(\s{0,8}<?([^\s<>()]{1,2000}(?:\([^\s<>()]{0,500}\)[^\s<>()]{0,500})?)>?(?:\s{1,8}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?\s{0,8}\)/y

/** Parses emphasis, code and links in a text. Never throws; unmatched characters stay text. */
export function parseInline(text: string): Inline[] {
  return pair(new Scanner(text).scan())
}

/** Parses nothing but the web and mail addresses in a text. */
export function parseLinks(text: string): Inline[] {
  const parts: Inline[] = []
  let from = 0
  for (const link of findLinks(text)) {
    if (link.at > from) parts.push({ type: 'text', text: text.slice(from, link.at) })
    parts.push({ type: 'link', href: link.href, children: [{ type: 'text', text: link.text }] })
    from = link.at + link.text.length
  }
  return from < text.length ? [...parts, { type: 'text', text: text.slice(from) }] : parts
}

class Scanner {
  readonly #text: string
  readonly #links: Link[]
  readonly #tokens: Token[] = []
  /** Open square brackets: the token index where their content begins. */
  #brackets: number[] = []
  /** Lengths of backtick runs that have no match in the rest of the text. */
  readonly #lonely = new Set<number>()
  #at = 0
  #plain = ''

  constructor(text: string) {
    this.#text = text
    this.#links = findLinks(text).reverse()
  }

  scan(): Token[] {
    while (this.#at < this.#text.length) this.#step(this.#text[this.#at] ?? '')
    this.#flush()
    return this.#tokens
  }

  #step(char: string) {
    if (this.#takeAddress()) return
    if (this.#tokens.length > MAX_TOKENS) return this.#write(char, 1)
    const next = this.#text[this.#at + 1]
    if (char === '\\' && next && ESCAPABLE.includes(next)) this.#write(next, 2)
    else if (char === '`') this.#takeCode()
    else if (char === '*' || char === '_' || char === '~') this.#takeMark(char)
    else if (char === '!' && next === '[') this.#openBracket('![')
    else if (char === '[') this.#openBracket('[')
    else if (char === ']') this.#closeBracket()
    else this.#write(char, 1)
  }

  #write(text: string, length: number) {
    this.#plain += text
    this.#at += length
  }

  #push(token: Token, length: number) {
    this.#flush()
    this.#tokens.push(token)
    this.#at += length
  }

  #flush() {
    if (this.#plain) this.#tokens.push({ type: 'text', text: this.#plain })
    this.#plain = ''
  }

  #takeAddress(): boolean {
    while ((this.#links.at(-1)?.at ?? Number.POSITIVE_INFINITY) < this.#at) this.#links.pop()
    const link = this.#links.at(-1)
    if (link?.at !== this.#at) return false
    this.#push({ type: 'link', href: link.href, children: [{ type: 'text', text: link.text }] }, link.text.length)
    return true
  }

  #takeCode() {
    const length = this.#runOf('`')
    const from = this.#at + length
    const end = this.#lonely.has(length) ? -1 : this.#closingRun(from, length)
    if (end === -1) {
      this.#lonely.add(length)
      return this.#write('`'.repeat(length), length)
    }
    const code = this.#text.slice(from, end)
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''
    this.#push({ type: 'code', text: isPadded ? code.slice(1, -1) : code }, end + length - this.#at)
  }

  #closingRun(from: number, length: number): number {
    let at = this.#text.indexOf('`', from)
    while (at !== -1) {
      let end = at
      while (this.#text[end] === '`') end++
      if (end - at === length) return at
      at = this.#text.indexOf('`', end)
    }
    return -1
  }

  #takeMark(char: string) {
    const count = this.#runOf(char)
    if (count > 3 || (char === '~' && count !== 2)) return this.#write(char.repeat(count), count)
    const [further = ' ', before = ' '] = [this.#text[this.#at - 2], this.#text[this.#at - 1]]
    const [after = ' ', beyond = ' '] = [this.#text[this.#at + count], this.#text[this.#at + count + 1]]
    const isLeftFlanking = !isSpace(after) && (!isPunctuation(after) || isBoundary(before))
    const isRightFlanking = !isSpace(before) && (!isPunctuation(before) || isBoundary(after))
    let opens = isLeftFlanking
    let closes = isRightFlanking
    if (char === '_') {
      // Part of a name: snake_case, __init__.py, self.__dict__.
      opens &&= !isWord(before) && !(isWord(further) && JOINING.includes(before))
      closes &&= !isWord(after) && !(isWord(beyond) && JOINING.includes(after))
    } else if (count === 1 || (/\d/.test(before + after) && isWord(before) && isWord(after))) {
      // Part of a calculation: 2*3*4, x**2.
      opens &&= !isRightFlanking || isBoundary(before)
      closes &&= !isLeftFlanking || isBoundary(after)
    }
    this.#push({ type: 'mark', char, count, opens, closes }, count)
  }

  #openBracket(text: string) {
    this.#push({ type: 'text', text }, text.length)
    this.#brackets.push(this.#tokens.length)
  }

  /** Images become links, too: loading one would tell its server that somebody is reading. */
  #closeBracket() {
    const from = this.#brackets.pop()
    TARGET.lastIndex = this.#at + 1
    const match = from === undefined ? null : TARGET.exec(this.#text)
    const href = match?.[1] && safeHref(match[1])
    if (from === undefined || !match || !href) return this.#write(']', 1)
    this.#flush()
    const children = unlinked(pair(this.#tokens.splice(from)))
    this.#tokens.pop()
    const shown: Inline[] = children.length > 0 ? children : [{ type: 'text', text: match[1] ?? href }]
    this.#push({ type: 'link', href, children: shown }, match[0].length + 1)
    // Links cannot be nested.
    this.#brackets = []
  }

  #runOf(char: string): number {
    let end = this.#at
    while (this.#text[end] === char) end++
    return end - this.#at
  }
}

interface Open {
  mark: string
  children: Inline[]
}

const KINDS = { 1: 'emphasis', 2: 'strong' } as const

/** Pairs opening and closing marks. Unmatched ones become text again. */
function pair(tokens: Token[]): Inline[] {
  const open: Open[] = [{ mark: '', children: [] }]
  const top = () => open.at(-1) as Open
  const giveUp = () => {
    const { mark, children } = open.pop() as Open
    add(top().children, { type: 'text', text: mark })
    for (const child of children) add(top().children, child)
  }
  for (const token of tokens) {
    if (token.type !== 'mark') {
      add(top().children, token)
      continue
    }
    // In `__init__.py` the second sign is no end, so the first was no beginning.
    if (isInName(token) && top().mark[0] === '_' && top().children.every(isOneWord)) giveUp()
    let remaining = token.count
    while (token.closes && remaining > 0) {
      const at = open.findLastIndex(({ mark }) => mark[0] === token.char && mark.length <= remaining)
      if (at === -1) break
      while (open.length > at + 1) giveUp()
      const { mark, children } = open.pop() as Open
      remaining -= mark.length
      const type = mark === '~~' ? 'delete' : KINDS[mark.length as 1 | 2]
      top().children.push({ type, children })
    }
    while (token.opens && remaining > 0 && open.length < MAX_OPEN) {
      const length = remaining === 2 ? 2 : 1
      open.push({ mark: token.char.repeat(length), children: [] })
      remaining -= length
    }
    if (remaining > 0) add(top().children, { type: 'text', text: token.char.repeat(remaining) })
  }
  while (open.length > 1) giveUp()
  return top().children
}

function isInName({ char, opens, closes }: Mark): boolean {
  return char === '_' && !opens && !closes
}

function isOneWord(part: Inline): boolean {
  return part.type === 'text' && !/\s/.test(part.text)
}

/** Joins adjacent texts. */
function add(into: Inline[], child: Inline) {
  const last = into.at(-1)
  if (child.type === 'text' && last?.type === 'text')
    into[into.length - 1] = { type: 'text', text: last.text + child.text }
  else into.push(child)
}

function unlinked(children: Inline[]): Inline[] {
  return children.flatMap((child): Inline[] => {
    if (!('children' in child)) return [child]
    const inner = unlinked(child.children)
    return child.type === 'link' ? inner : [{ ...child, children: inner }]
  })
}

function isSpace(char: string): boolean {
  return /\s/.test(char)
}

function isPunctuation(char: string): boolean {
  return /[\p{P}\p{S}]/u.test(char)
}

function isWord(char: string): boolean {
  return /[\p{L}\p{N}_]/u.test(char)
}

/** Whether a word may end here. Languages without blanks have no other sign of it. */
function isBoundary(char: string): boolean {
  return (
    isSpace(char) ||
    isPunctuation(char) ||
    /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uf900-\ufaff]/.test(char)
  )
}
