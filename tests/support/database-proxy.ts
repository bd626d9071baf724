import { connect, createServer, type Socket } from 'node:net'
import type { DatabaseAddress } from './database.ts'

/** What happens to a connection when its commit has succeeded and the server does not know yet. */
type Fate = 'cut' | 'hold'

interface Trap {
  word: string
  fate: Fate
  spring(): void
}

/**
 * A proxy in front of PostgreSQL that understands enough of the protocol to interrupt exactly at the answer to a
 * commit.
 */
export async function startDatabaseProxy(target: DatabaseAddress) {
  const sockets = new Set<Socket>()
  const traps: Trap[] = []

  const proxy = createServer((client) => {
    const upstream = target.host.startsWith('/')
      ? connect(`${target.host}/.s.PGSQL.${target.port}`)
      : connect(target.port, target.host)
    let inTransaction = ''
    let trap: Trap | undefined
    let fate: Fate | undefined
    const readMessage = reader((type, text) => {
      if (type !== 'Q' && type !== 'P') return
      if (/^commit\b/i.test(text)) trap = claimTrap(traps, inTransaction)
      inTransaction = /^(begin|start transaction)\b/i.test(text) ? '' : inTransaction + text
    })
    client.on('data', (bytes) => {
      readMessage(bytes)
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (trap && bytes.includes('COMMIT')) {
        fate = trap.fate
        trap.spring()
        trap = undefined
        if (fate === 'cut') client.destroy()
      }
      if (!fate) client.write(bytes)
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as { port: number }

  return {
    address: { ...target, host: '127.0.0.1', port } as DatabaseAddress,
    /** Interrupts the next commit of a transaction whose statements contain this word; resolves when it has. */
    strike(word: string, fate: Fate): Promise<void> {
      return new Promise((spring) => traps.push({ word, fate, spring }))
    },
    close() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

function claimTrap(traps: Trap[], statements: string): Trap | undefined {
  const at = traps.findIndex(({ word }) => statements.includes(word))
  return at < 0 ? undefined : traps.splice(at, 1)[0]
}

/** Splits a client's stream into messages. The first one, which opens the connection, has no type. */
function reader(receive: (type: string, text: string) => void) {
  let pending = Buffer.alloc(0)
  let isOpening = true
  return (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes])
    for (;;) {
      const head = isOpening ? 0 : 1
      if (pending.length < head + 4) return
      const length = head + pending.readInt32BE(head)
      if (pending.length < length) return
      const body = pending.subarray(head + 4, length).toString('latin1')
      const type = isOpening ? '' : String.fromCharCode(pending[0]!)
      // A Parse message begins with the statement's name, which is empty here.
      receive(type, type === 'P' ? body.slice(body.indexOf('\0') + 1) : body)
      isOpening = false
      pending = pending.subarray(length)
    }
  }
}
