import { createRoot } from 'react-dom/client'
import { Dashboard } from './App.tsx'
import { startLanguages } from './platform/i18n.ts'
import { trackInstallation } from './platform/installing.ts'
import { readTokens } from './platform/session/session.ts'
import { fetchAhead } from './routes.tsx'
import { trackKeyboard } from './ui/keyboard.ts'
import { trackScheme } from './ui/scheme.ts'
import './ui/global.css'

// This file must not contain components: in development it would be executed again when they change.
trackScheme()
trackKeyboard()
trackInstallation()
void start(fetchAhead(location.pathname, readTokens() !== null))

/** A function, because texts import from this file's script, and would wait for ever for an `await` outside of one. */
async function start(ahead: Promise<void>) {
  await startLanguages()
  // `old-browser.js` takes the element away.
  const root = document.getElementById('app')
  // Each boundary reports what it catches; React would do it again with every drawing.
  if (root) createRoot(root, { onCaughtError: () => undefined }).render(<Dashboard ahead={ahead} />)
}
