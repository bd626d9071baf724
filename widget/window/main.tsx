import { createRoot } from 'react-dom/client'
import { readAddress } from './appearance/settings.ts'
import { chooseLanguage, loadTranslation } from './appearance/translation.ts'
import { ChatWindow } from './ChatWindow.tsx'
import { Chat } from './chat.ts'

const address = readAddress(location.search)

// Without an account in the address nothing is shown.
if (address) {
  const first = await loadTranslation(chooseLanguage([address.appearance.language, ...navigator.languages]))
  const chat = new Chat(address)
  // The page forbids its translation. The team's and the visitor's words allow it for themselves; what changes by itself does not.
  createRoot(document.getElementById('chat')!).render(<ChatWindow chat={chat} first={first} />)
  void chat.start()
  if (address.isSample) void import('./lazy/sample.ts').then(({ showSample }) => showSample(chat.store))
}
