import { timeZone } from '../time-zone.ts'

/**
 * Properties of the browser. The address goes without its query and fragment, which may hold secrets of other services.
 */
export function describeBrowser() {
  const { userAgent, language } = navigator
  const { origin, pathname, host } = location
  return {
    browser: find(userAgent, BROWSERS),
    os: find(userAgent, SYSTEMS),
    browser_language: language,
    current_url: origin + pathname,
    host,
    pathname,
    title: document.title.slice(0, 200),
    referrer: document.referrer.replace(/[?#].*/, ''),
    screen_width: screen.width,
    screen_height: screen.height,
    time_zone: timeZone(),
    lib: 'parley',
  }
}

/** The first match counts, because most browsers name several others. */
const BROWSERS =
  'Edge:Edg|Opera:OPR|Samsung Internet:SamsungBrowser|Firefox:Firefox|Firefox:FxiOS|Chrome:Chrom|Chrome:CriOS|Safari:Safari'
const SYSTEMS = 'Android:Android|iOS:iPhone|iOS:iPad|iOS:iPod|Windows:Windows|Mac OS X:Mac|Chrome OS:CrOS|Linux:Linux'

function find(text: string, list: string): string | undefined {
  return list
    .split('|')
    .map((entry) => entry.split(':'))
    .find(([, mark]) => text.includes(mark!))?.[0]
}
