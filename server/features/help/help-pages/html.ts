import { escapeHtml } from '../../../platform/html.ts'

/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Value = Html | string | number | null | undefined | false | readonly Value[]

/** A template of HTML: values are escaped unless they are HTML themselves, lists are joined, nothing stays empty. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(write)))
}

function write(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  return Array.isArray(value) ? value.map(write).join('') : escapeHtml(String(value))
}

/** Data for search engines. It cannot end its element, whatever a title contains. */
export function jsonLd(data: object): Html {
  return new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`)
}
