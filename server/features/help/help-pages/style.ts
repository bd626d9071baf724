import { createHash } from 'node:crypto'
import { firstGrapheme } from '#contract/text/first-grapheme.ts'
import { escapeHtml } from '../../../platform/html.ts'

/** White or black, whichever is easier to read on a colour. */
function inkOn(color: string): string {
  return luminanceOf(color) > 0.18 ? '#000' : '#fff'
}

function luminanceOf(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

/** The colour, mixed with black or white until text in it is readable on the page's background. */
function readable(color: string, background: 'light' | 'dark'): string {
  const target = background === 'light' ? 0 : 255
  const isEnough = (luminance: number) =>
    (background === 'light' ? 1.02 / (luminance + 0.05) : (luminance + 0.05) / 0.059) >= 5
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = `#${[1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16))
      .map((part) =>
        Math.round(part + (target - part) * share)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`
    if (isEnough(luminanceOf(mixed))) return mixed
  }
  return background === 'light' ? '#000000' : '#ffffff'
}

/** The style sheet of a help center with its colour, and the name under which browsers may keep it for a year. */
export function styleOf(color: string): { css: string; name: string } {
  const css = `:root{color-scheme:light dark;--back:#fff;--raised:#f6f6f4;--line:#e1e1dc;--text:#1d1f1e;--soft:#5a5f5c;--brand:${color};--on-brand:${inkOn(color)};--link:${readable(color, 'light')}}
@media (prefers-color-scheme:dark){:root{--back:#151716;--raised:#1e2120;--line:#343937;--text:#e9ebe9;--soft:#a7adaa;--link:${readable(color, 'dark')}}}
${RULES}`
  return { css, name: `style-${createHash('sha256').update(css).digest('hex').slice(0, 12)}.css` }
}

/** A mark for tabs: the first letter of the name on the colour of the help center. */
export function iconOf({ name, color }: { name: string; color: string }): string {
  const letter = escapeHtml(firstGrapheme(name).toLocaleUpperCase())
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${color}"/><text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="18" font-weight="700" text-anchor="middle" fill="${inkOn(color)}">${letter}</text></svg>`
}

const RULES = `*{box-sizing:border-box}
html{font:1.0625rem/1.65 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--back);color:var(--text);min-height:100vh;display:flex;flex-direction:column;overflow-wrap:break-word}
a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,button:focus-visible,input:focus-visible,textarea:focus-visible,[tabindex]:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
.skip{position:absolute;inset-inline-start:-99rem}
.skip:focus{position:static;display:block;padding:.75rem 1.25rem}
.wide{width:100%;max-width:62rem;margin-inline:auto;padding-inline:1.25rem}
.narrow{max-width:44rem}
.top{background:var(--brand);color:var(--on-brand)}
.bar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1.5rem;padding-block:.875rem}
.top a{color:inherit}
.name{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;font-size:1.125rem;font-weight:650;text-decoration:none}
.name img{max-height:2.25rem;width:auto;max-width:12rem;display:block}
.tongues{display:flex;flex-wrap:wrap;gap:0 1rem;margin:0;padding:0;list-style:none;font-size:.9375rem}
.tongues a{display:inline-block;padding-block:.5rem}
.tongues [aria-current]{font-weight:650;text-decoration:none}
.hero{padding-block:2rem 3rem}
.hero h1{margin:0 0 1.25rem;font-size:clamp(1.625rem,5vw,2.25rem);line-height:1.2;letter-spacing:-.015em}
.find{display:flex;gap:.5rem;max-width:40rem;min-width:0}
.slim .find{max-width:26rem;flex:1 1 18rem}
.find input{flex:1;min-width:0;min-height:2.75rem;padding:.5rem .875rem;font:inherit;color:var(--text);background:var(--back);border:1px solid var(--soft);border-radius:.5rem}
.find button,.votes button,.comment button,.button{min-height:2.75rem;padding:.5rem 1.125rem;font:inherit;font-weight:600;color:var(--text);background:var(--back);border:1px solid var(--soft);border-radius:.5rem;cursor:pointer;text-decoration:none;display:inline-flex;align-items:center}
main{flex:1;padding-block:2.25rem 3rem}
h1,h2,h3,h4{line-height:1.3;text-wrap:balance}
main h1{margin:.5rem 0 .5rem;font-size:clamp(1.5rem,4.5vw,2rem);letter-spacing:-.01em}
.lead{margin:0 0 1.5rem;color:var(--soft);font-size:1.125rem}
.crumbs ol{display:flex;flex-wrap:wrap;gap:0 .5rem;margin:0 0 1rem;padding:0;list-style:none;font-size:.9375rem;color:var(--soft)}
.crumbs li+li::before{content:"/";margin-inline-end:.5rem}
.crumbs a{display:inline-block;padding-block:.25rem}
.topics{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:1rem;margin:0;padding:0;list-style:none}
.topics li{position:relative;padding:1.25rem 1.375rem;background:var(--raised);border:1px solid var(--line);border-radius:.75rem}
.topics h2{margin:0 0 .25rem;font-size:1.1875rem}
.topics h2 a{text-decoration:none}
.topics h2 a::after{content:"";position:absolute;inset:0;border-radius:.75rem}
.topics li:hover h2 a{text-decoration:underline}
.topics p{margin:0;color:var(--soft)}
.topics .icon{font-size:1.5rem;line-height:1;display:block;margin-bottom:.75rem}
.topics+.list{margin-top:1.5rem}
.list{margin:0;padding:0;list-style:none}
.list li{padding-block:1rem;border-top:1px solid var(--line)}
.list a{font-weight:600;font-size:1.125rem}
.list p{margin:.25rem 0 0;color:var(--soft)}
.list mark{color:inherit;background:none;font-weight:650}
.text{font-size:1.0625rem}
.text h2{margin:2.25rem 0 .5rem;font-size:1.375rem}
.text h3{margin:1.75rem 0 .5rem;font-size:1.125rem}
.text p,.text ul,.text ol{margin:0 0 1rem}
.text li{margin-block:.25rem}
.text img{max-width:100%;height:auto;border-radius:.5rem;border:1px solid var(--line)}
.text pre{overflow-x:auto;padding:1rem;background:var(--raised);border:1px solid var(--line);border-radius:.5rem;font-size:.9375rem;direction:ltr;text-align:left}
.text code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.9375em}
.text :not(pre)>code{padding:.1em .35em;background:var(--raised);border-radius:.25rem}
.text table{display:block;max-width:100%;overflow-x:auto;border-collapse:collapse;margin:0 0 1rem}
.text th,.text td{padding:.5rem .875rem;border:1px solid var(--line);text-align:start;vertical-align:top}
.text th{background:var(--raised)}
.text .align-center{text-align:center}.text .align-right{text-align:right}.text .align-left{text-align:left}
.text blockquote{margin:0 0 1rem;padding-inline-start:1rem;border-inline-start:3px solid var(--line);color:var(--soft)}
.text hr{border:0;border-top:1px solid var(--line);margin-block:2rem}
.callout{margin:0 0 1rem;padding:.875rem 1.125rem;background:var(--raised);border-inline-start:4px solid var(--link);border-radius:.25rem}
.callout-warning,.callout-caution{border-color:#c2571a}
.callout>:last-child{margin-bottom:0}
.hint{padding:.75rem 1rem;background:var(--raised);border-radius:.5rem}
.soft{color:var(--soft);font-size:.9375rem}
.votes{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;margin-block:2.5rem 0;padding-block:1.25rem;border-top:1px solid var(--line)}
.votes h2{margin:0;font-size:1.0625rem}
.votes form{display:flex;gap:.5rem}
.comment{display:grid;gap:.5rem;justify-items:start;max-width:36rem;margin-top:1.5rem}
.comment label{font-weight:600}
.comment p{margin:0}
.comment textarea{width:100%;padding:.5rem .875rem;font:inherit;color:var(--text);background:var(--back);border:1px solid var(--soft);border-radius:.5rem;resize:vertical}
.more{padding-top:1.25rem;border-top:1px solid var(--line)}
.more h2,.contact h2{margin:0 0 .5rem;font-size:1.125rem}
.more ul{margin:0;padding-inline-start:1.25rem}
.more li{padding-block:.25rem}
.contact{margin-top:2rem;padding:1.25rem 1.375rem;background:var(--raised);border:1px solid var(--line);border-radius:.75rem;display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem 1.5rem}
.contact h2{margin:0}
footer{border-top:1px solid var(--line);color:var(--soft);font-size:.9375rem}
footer .wide{display:flex;align-items:baseline;flex-wrap:wrap;gap:0 1.5rem;padding-block:1.25rem}
footer a{color:inherit;padding-block:.5rem}
@media print{.top .find,.tongues,.votes,.comment,.contact,.more,footer,.crumbs,.skip{display:none}.top{background:none;color:#000}html{font-size:11pt}:root{--back:#fff;--raised:#fff;--line:#999;--text:#000;--soft:#333;--link:#000}.text a[href^=http]::after{content:" (" attr(href) ")";font-size:.85em}main{padding-block:0}}
`
