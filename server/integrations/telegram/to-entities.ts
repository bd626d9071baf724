import type { Inline } from '#contract/text/inline.ts'
import { type Block, parseMessage, type Written } from '#contract/text/markdown.ts'
import type { Entity, FormattedText } from './entities.ts'

const TYPES = { strong: 'bold', emphasis: 'italic', delete: 'strikethrough' } as const

/**
 * A message as text and entities of Telegram. Entities cannot fail to be parsed there, as marks in a text can: a single
 * underscore would prevent sending.
 */
export function toEntities(message: Written): FormattedText {
  const writer = new Writer()
  writer.blocks(parseMessage(message))
  return writer.finish()
}

class Writer {
  #text = ''
  readonly #entities: Entity[] = []
  /** Telegram has no quotations inside others. */
  #isInQuote = false

  blocks(blocks: readonly Block[], indent = ''): void {
    for (const [at, block] of blocks.entries()) {
      if (at > 0) this.#text += `${block.apart ? '\n\n' : '\n'}${indent}`
      this.#block(block, indent)
    }
  }

  finish(): FormattedText {
    const text = this.#text.trimEnd()
    const shift = text.length - text.trimStart().length
    const entities = this.#entities.flatMap(({ offset, length, ...entity }) => {
      const start = Math.max(offset - shift, 0)
      const end = Math.min(offset + length, text.length) - shift
      return end > start ? [{ ...entity, offset: start, length: end - start }] : []
    })
    return { text: text.slice(shift), entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) }
  }

  #block(block: Block, indent: string): void {
    if (block.type === 'quote') this.#quote(block.children, indent)
    else if (block.type === 'code') this.#mark({ type: 'pre' }, () => this.#write(block.text))
    else if (block.type === 'list') this.#list(block, indent)
    else if (block.type === 'heading') this.#mark({ type: 'bold' }, () => this.#inline(block.children))
    else this.#inline(block.children)
  }

  #quote(children: readonly Block[], indent: string): void {
    const write = () => this.blocks(children, indent)
    if (this.#isInQuote) write()
    else {
      this.#isInQuote = true
      this.#mark({ type: 'blockquote' }, write)
      this.#isInQuote = false
    }
  }

  #list({ start, items }: Extract<Block, { type: 'list' }>, indent: string): void {
    for (const [at, item] of items.entries()) {
      const marker = start === null ? '•' : `${start + at}.`
      this.#text += `${at > 0 ? `\n${indent}` : ''}${marker} `
      this.blocks(item, `${indent}${' '.repeat(marker.length + 1)}`)
    }
  }

  #inline(parts: readonly Inline[]): void {
    for (const part of parts) this.#part(part)
  }

  #part(part: Inline): void {
    if (!('children' in part)) this.#literal(part)
    else if (part.type === 'link') this.#link(part)
    else this.#mark({ type: TYPES[part.type] }, () => this.#inline(part.children))
  }

  #literal({ type, text }: Extract<Inline, { text: string }>): void {
    if (type === 'code') this.#mark({ type }, () => this.#write(text))
    else this.#write(text)
  }

  #link(part: Extract<Inline, { type: 'link' }>): void {
    const from = this.#text.length
    this.#inline(part.children)
    const shown = this.#text.slice(from)
    // Telegram recognises these itself.
    if (['', 'https://', 'mailto:'].some((scheme) => scheme + shown === part.href)) return
    if (/^https?:/.test(part.href)) this.#add({ type: 'text_link', url: part.href }, from)
    else this.#text += ` (${part.href.replace(/^mailto:/, '')})`
  }

  #write(text: string): void {
    this.#text += text
  }

  #mark(entity: Omit<Entity, 'offset' | 'length'>, write: () => void): void {
    const from = this.#text.length
    write()
    this.#add(entity, from)
  }

  #add(entity: Omit<Entity, 'offset' | 'length'>, from: number): void {
    const length = this.#text.length - from
    if (length > 0) this.#entities.push({ ...entity, offset: from, length })
  }
}
