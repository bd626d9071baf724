const OPEN = '<think>'
const CLOSE = '</think>'

/** Removes what a model thinks aloud between `<think>` and `</think>`, also where a tag arrives in two pieces. */
export class ThinkingFilter {
  #isThinking = false
  /** The end of the text so far, which may be the beginning of a tag. */
  #held = ''

  /** The next piece of an answer without thoughts. */
  read(piece: string): string {
    let text = this.#held + piece
    let said = ''
    for (;;) {
      const tag = this.#isThinking ? CLOSE : OPEN
      const at = text.indexOf(tag)
      if (at < 0) break
      if (!this.#isThinking) said += text.slice(0, at)
      this.#isThinking = !this.#isThinking
      text = text.slice(at + tag.length)
    }
    const kept = beginningAtEnd(text, this.#isThinking ? CLOSE : OPEN)
    this.#held = text.slice(text.length - kept)
    return this.#isThinking ? said : said + text.slice(0, text.length - kept)
  }

  /** What was held back, once nothing follows. */
  end(): string {
    return this.#isThinking ? '' : this.#held
  }
}

/** How many characters at the end of a text are the beginning of a tag. */
function beginningAtEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--)
    if (tag.startsWith(text.slice(text.length - length))) return length
  return 0
}
