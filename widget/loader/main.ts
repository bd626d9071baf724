import type { EmbeddedSettings } from '#contract/widgets.ts'
import { installParley } from './api.ts'

// Known only while the script runs for the first time. Ahead of it the server may have hung settings on its element.
const script = document.currentScript as (HTMLScriptElement & { brought?: EmbeddedSettings }) | null

installParley(window, script?.src || location.href, script?.brought)
