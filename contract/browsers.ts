/**
 * The oldest versions that dashboard, widget and recorder work in: the last Chrome for Windows 7 and 8, the last Firefox
 * for them, and Safari of iOS 16, which is what a phone of 2017 gets. `docs/browsers.md` promises them.
 */
export const MINIMUM_BROWSERS = { chrome: '109', firefox: '115', safari: '16.4' } as const

/** The same for the build, which translates newer syntax and styles where it can. */
export const BUILD_TARGET = Object.entries(MINIMUM_BROWSERS).map(([name, version]) => `${name}${version}`)
