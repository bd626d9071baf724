import { posix } from 'node:path'

/** What a link or a picture leads to, in brackets or bare: `](<a b.png>)`, `](a.png)`, `[name]: a.png`. */
const TARGET =
  /(\]\([ \t]{0,20}|^ {0,3}\[[^\]\n]{1,200}\]:[ \t]{0,20})(?:<([^<>\n]{1,1000})>|((?:[^\s()<>]|\([^\s()<>]{0,200}\)){1,1000}))/gm

/** What the links and pictures of a Markdown text lead to. */
export function linkTargets(body: string): string[] {
  return Array.from(body.matchAll(TARGET), ([, , bracketed, bare]) => bracketed ?? bare ?? '')
}

/** The text with other targets; those for which `replace` returns undefined stay. */
export function replaceTargets(body: string, replace: (target: string) => string | undefined): string {
  return body.replace(TARGET, (whole: string, start: string, bracketed?: string, bare?: string) => {
    const target = replace(bracketed ?? bare ?? '')
    if (target === undefined) return whole
    return bracketed === undefined ? start + target : `${start}<${target}>`
  })
}

/** The path in a folder that a target means, relative to the file that contains it; undefined for everything else. */
export function pathOfTarget(file: string, target: string): string | undefined {
  const [relative = ''] = target.split(/[?#]/)
  if (relative === '' || /^[a-z][a-z0-9+.-]*:|^[/\\]/i.test(relative)) return undefined
  const path = posix.normalize(posix.join(posix.dirname(file), decode(relative))).normalize('NFC')
  return path.startsWith('../') ? undefined : path
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
