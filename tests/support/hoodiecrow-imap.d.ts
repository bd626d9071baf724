/** An IMAP server for tests, which comes without types. Declares only what is used. */
declare module 'hoodiecrow-imap' {
  interface Message {
    uid: number
    raw: string
    flags: string[]
  }
  interface Folder {
    path: string
    uidvalidity: number
    uidnext: number
    messages: Message[]
  }
  interface Server {
    users: Record<string, { password: string }>
    server: import('node:net').Server
    setMaxListeners(count: number): void
    listen(port: number, host: string, done: () => void): void
    close(done: () => void): void
    deleteMailbox(path: string): void
    getMailbox(path: string): Folder
    appendMessage(path: string, flags: string[], date: string | undefined, raw: string): { message: Message }
  }
  export default function hoodiecrow(options: object): Server
}
