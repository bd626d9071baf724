import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { startChromium } from './chromium.ts'
import { startFirefox } from './firefox.ts'
import type { Engine, EngineName, EngineOptions } from './tab.ts'
import { findMiniBrowser, startWebkit } from './webkit.ts'

const START: Record<EngineName, (options?: EngineOptions) => Promise<Engine>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebkit,
}

const IS_INSTALLED: Record<EngineName, () => boolean> = {
  // Every story needs it, and says so itself.
  chromium: () => true,
  firefox: () => isProgram('firefox-esr'),
  webkit: () => isProgram('WebKitWebDriver') && isProgram('Xvfb') && findMiniBrowser() !== undefined,
}

export function startEngine(name: EngineName, options?: EngineOptions): Promise<Engine> {
  return START[name](options)
}

/** Whether this machine has an engine. */
export function isInstalled(name: EngineName): boolean {
  return IS_INSTALLED[name]()
}

function isProgram(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
}
