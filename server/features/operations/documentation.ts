import type { Endpoint } from '#contract/endpoint.ts'
import { escapeHtml } from '../../platform/html.ts'

type Features = Record<string, Record<string, Endpoint>>

/** The contract as one page to read: no script, so it needs nothing from the content security policy but its style. */
export function documentationPage(features: Features): string {
  const sections = Object.entries(features).map(([feature, calls]) => section(feature, Object.values(calls)))
  const contents = Object.keys(features).map((feature) => `<a href="#${feature}">${title(feature)}</a>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley API</title>
<style>${STYLE}</style>
<main>
<h1>Parley API</h1>
<p>Every call there is. Send the token in the <code>Authorization</code> header, raw or after <code>Bearer</code>.
Answers carry <code>data</code>; refusals carry <code>error</code> with <code>status</code>, <code>code</code> and
<code>message</code>. For programs: <a href="/api/openapi.json">openapi.json</a>.</p>
<nav>${contents.join(' · ')}</nav>
${sections.join('\n')}
</main>
</html>`
}

function section(feature: string, calls: Endpoint[]): string {
  return `<h2 id="${feature}">${title(feature)}</h2>\n${calls.map(row).join('\n')}`
}

function row({ method, path, who, summary }: Endpoint): string {
  return `<article><p><b>${method}</b><code>${escapeHtml(path)}</code> <i>${who}</i></p><p>${withNames(summary)}</p></article>`
}

/** What stands between backticks is a name on the wire. */
function withNames(summary: string): string {
  return escapeHtml(summary).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function title(feature: string): string {
  const words = feature.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#22303a, #dfe6ea); --quiet: light-dark(#5b6b76, #95a5af);
  --page: light-dark(#fbfaf7, #12161a); --line: light-dark(#e4e1da, #262d33); --accent: light-dark(#0f6b6b, #58b8b3) }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.55 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 6rem }
h1 { font-size: 1.6rem } h2 { margin-top: 2.5rem; font-size: 1.15rem }
article { padding: .75rem 0; border-top: 1px solid var(--line) } article p { margin: .15rem 0 }
b { display: inline-block; width: 4rem; font-size: .8rem; color: var(--accent) } i { color: var(--quiet); font-size: .85rem }
code { overflow-wrap: anywhere } a { color: var(--accent) } article p + p { color: var(--quiet); padding-left: 4rem }
@media (width < 34rem) { b { display: block } article p + p { padding-left: 0 } }`
