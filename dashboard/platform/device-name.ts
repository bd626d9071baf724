/** The order matters: most browsers also name several others. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Browser and system, such as `Firefox, Windows`; empty if unknown. */
export function deviceName(user_agent: string): string {
  const name = (list: readonly (readonly [string, string])[]) =>
    list.find(([marker]) => user_agent.includes(marker))?.[1]
  return [name(BROWSERS), name(SYSTEMS)].filter(Boolean).join(', ')
}
