import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BidiConnection } from './bidi.ts'
import { type Child, startChild } from './child.ts'
import { FirefoxTab } from './firefox-tab.ts'
import type { Engine, EngineOptions } from './tab.ts'

/** No traffic of its own, and no animations. */
const PREFERENCES: Record<string, boolean | number | string> = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'captivedetect.canonicalURL': '',
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en-US',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:9/',
  'toolkit.telemetry.enabled': false,
  'ui.prefersReducedMotion': 1,
}

/** Firefox, which speaks WebDriver BiDi itself. All pages share one browser, each with storage of its own. */
export async function startFirefox({ isDark }: EngineOptions = {}): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'parley-firefox-'))
  const preferences = { ...PREFERENCES, 'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1 }
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank']
  const firefox = startChild('firefox-esr', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const bidi = await BidiConnection.open(`${await readAddress(firefox)}/session`)
  await bidi.send('session.new', { capabilities: {} })
  await bidi.send('session.subscribe', { events: ['log.entryAdded'] })
  const tabs: FirefoxTab[] = []
  // Entries of frames do not name their page. Stories use one page at a time, so it belongs to the newest.
  bidi.onEvent = (_method, params) => {
    const { level, text } = params as { level: string; text: string }
    if (level === 'error' || level === 'warn') tabs.at(-1)?.messages.push(text)
  }
  return {
    name: 'firefox',
    async open(options) {
      const tab = await FirefoxTab.open(bidi, options)
      tabs.push(tab)
      return tab
    },
    async close() {
      bidi.close()
      await firefox.end()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** The address at which it listens, which it prints. */
function readAddress({ process: firefox }: Child): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    firefox.stderr?.on('data', (text) => {
      output += text
      const address = /WebDriver BiDi listening on (ws:\S+)\s/.exec(output)?.[1]
      if (address) resolve(address)
    })
    firefox.once('exit', () => reject(new Error(`Firefox ended: ${output}`)))
  })
}
