import type { EmbeddedSettings } from '#contract/widget/widgets.ts'
import { isSupported } from '../supported.ts'
import { installParley } from './api.ts'

// Only available while the script runs for the first time. The server may have put settings on its element.
const script = document.currentScript as (HTMLScriptElement & { brought?: EmbeddedSettings }) | null

if (isSupported()) installParley(window, script?.src || location.href, script?.brought)
