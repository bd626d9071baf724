import { createRoot } from 'react-dom/client'
import { Dashboard } from './App.tsx'
import { startLanguages } from './platform/i18n.ts'
import { readTokens } from './platform/session/session.ts'
import { fetchAhead } from './routes.tsx'
import { followScheme } from './ui/scheme.ts'
import './texts.ts'
import './ui/global.css'

// This file must not contain components: in development it would be executed again when they change.
followScheme()
const ahead = fetchAhead(location.pathname, readTokens() !== null)
await startLanguages()
createRoot(document.getElementById('app') ?? document.body).render(<Dashboard ahead={ahead} />)
