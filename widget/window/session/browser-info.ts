import { timeZone } from '../../time-zone.ts'

/** Properties of the visitor's browser, sent when a session is opened. */
export function describeBrowser(): Record<string, unknown> {
  const agent = navigator.userAgent
  // Browsers based on Chrome name it first and themselves last.
  const [, name, version] =
    /(Edg|OPR|SamsungBrowser)\/([\d.]+)/.exec(agent) ?? /(Firefox|Chrome|Version)\/([\d.]+)/.exec(agent) ?? []
  return {
    os: /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/.exec(agent)?.[0],
    browser: name && (NAMES[name] ?? name),
    browser_version: version,
    browser_language: navigator.language,
    time_zone: timeZone(),
    screen_width: screen.width,
    screen_height: screen.height,
    lib: 'web',
  }
}

const NAMES: Record<string, string> = {
  Edg: 'Edge',
  OPR: 'Opera',
  SamsungBrowser: 'Samsung Internet',
  Version: 'Safari',
}
