import { createRoot } from 'react-dom/client'
import { ChatWindow } from './ChatWindow.tsx'
import { Chat } from './chat.ts'
import './chat.css'
import { readAddress } from './look.ts'

const address = readAddress(location.search)

// Without an account there is nobody to talk to, and nothing is shown.
if (address) {
  const chat = new Chat(address)
  createRoot(document.getElementById('chat')!).render(<ChatWindow chat={chat} />)
  void chat.start()
}
