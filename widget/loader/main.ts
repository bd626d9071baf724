import { installParley } from './api.ts'

// Known only while the script runs for the first time.
const script = document.currentScript as HTMLScriptElement | null

installParley(window, script?.src || location.href)
