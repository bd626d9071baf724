import { createRoot } from 'react-dom/client'
import { Dashboard } from './App.tsx'
import { startLanguages } from './platform/i18n.ts'
import { readTokens } from './platform/session/session.ts'
import { fetchAhead } from './routes.tsx'
import { followScheme } from './ui/scheme.ts'
import './ui/global.css'

// This file must not contain components: in development it would be executed again when they change.
followScheme()
const ahead = fetchAhead(location.pathname, readTokens() !== null)
await startLanguages()
// `old-browser.js` takes the element away.
const root = document.getElementById('app')
// Each boundary reports what it catches; React would do it again with every drawing.
if (root) createRoot(root, { onCaughtError: () => undefined }).render(<Dashboard ahead={ahead} />)
