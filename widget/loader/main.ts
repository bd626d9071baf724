import { readConfig } from './config.ts'
import { startWidget } from './widget.ts'

// Known only while the script runs for the first time.
const script = document.currentScript as HTMLScriptElement | null
const page = window as Parameters<typeof readConfig>[0]
const config = readConfig(page, script?.src || location.href)

/** The published script's name, which some pages use to hide or move the widget. */
const ID = 'PapercupsChatWidget'

function start() {
  if (document.getElementById(ID)) return
  const host = document.createElement('div')
  host.id = ID
  document.body.append(host)
  void startWidget(host, config)
}

if (document.body) start()
else addEventListener('DOMContentLoaded', start)
