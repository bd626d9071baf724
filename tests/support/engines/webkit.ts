import { readdirSync } from 'node:fs'
import { freePort } from '../server-process.ts'
import { startChild } from './child.ts'
import { startConsoleProxy } from './console-proxy.ts'
import type { Engine, EngineOptions } from './tab.ts'
import { callWebDriver, waitForDriver } from './webdriver.ts'
import { WebkitTab } from './webkit-tab.ts'

const LIBRARIES = '/usr/lib'

/** WebKitGTK's small browser, which needs a display. Each page has a browser and a driver of its own. */
export async function startWebkit(options: EngineOptions = {}): Promise<Engine> {
  const display = await startDisplay()
  const tabs: WebkitTab[] = []
  return {
    name: 'webkit',
    async open(size) {
      const tab = await startBrowser(display.name, options)
      tabs.push(tab)
      await tab.resize(size)
      return tab
    },
    async close() {
      for (const tab of tabs) await tab.close()
      await display.end()
    },
  }
}

async function startBrowser(display: string, { isDark }: EngineOptions): Promise<WebkitTab> {
  const port = await freePort()
  const env = { ...process.env, DISPLAY: display, LANG: 'en_US.UTF-8', GTK_A11Y: 'none', NO_AT_BRIDGE: '1' }
  const driver = startChild('WebKitWebDriver', [`--port=${port}`], { env })
  const url = `http://127.0.0.1:${port}`
  await waitForDriver(url)
  const consoleProxy = await startConsoleProxy()
  // Without toolbars, so that a window can be as narrow as a phone.
  const args = ['--automation', '--full-screen', ...(isDark ? ['--dark-mode'] : [])]
  const alwaysMatch = {
    'webkitgtk:browserOptions': { binary: findMiniBrowser(), args },
    proxy: { proxyType: 'manual', httpProxy: `127.0.0.1:${consoleProxy.port}`, noProxy: [] },
  }
  const { sessionId } = await callWebDriver(url)<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch },
  })
  return new WebkitTab({ call: callWebDriver(`${url}/session/${sessionId}`), driver, consoleProxy })
}

/** A display of its own, with a free number. */
async function startDisplay() {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const { process: child, end } = startChild('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const number = await new Promise<string>((resolve, reject) => {
    child.stdio[3]?.once('data', (text) => resolve(String(text).trim()))
    child.once('exit', () => reject(new Error('Xvfb ended.')))
  })
  return { name: `:${number}`, end }
}

/** The browser is beside the library, in a folder named after the machine and the version. */
export function findMiniBrowser(): string | undefined {
  const paths = readdirSync(LIBRARIES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes('linux-gnu'))
    .flatMap(({ name }) => readdirSync(`${LIBRARIES}/${name}`).map((folder) => `${LIBRARIES}/${name}/${folder}`))
  return paths.filter((path) => /\/webkit2gtk-4\.\d$/.test(path)).map((path) => `${path}/MiniBrowser`)[0]
}
