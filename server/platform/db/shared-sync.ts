import type pg from 'pg'

/** What PostgreSQL says of a statement that comes after a failed one of the same transaction. */
const ABORTED = 'current transaction is aborted, commands ignored until end of transaction block'

/** Statements that end with the same Sync. */
interface Group {
  /** How many of them are not answered yet. */
  left: number
}

/**
 * Lets statements that are sent in the same turn end with one Sync. By itself the driver sends a Sync after each, which
 * PostgreSQL answers with a packet of its own, and each packet wakes this process. The driver expects `readyForQuery`
 * after each statement, so it is emitted here for all but the last of a group.
 *
 * Returns a function that makes the statements of the current turn share one write and one Sync. Only for statements of
 * a transaction: others would become one transaction.
 */
export function shareSync(connection: pg.Connection): () => void {
  const sync = connection.sync.bind(connection)
  const sendSimple = connection.query.bind(connection)
  /** In the order in which they were sent. */
  const groups: Group[] = []
  let gathered: Group | undefined
  let isEmitting = false

  function emit(event: 'readyForQuery' | 'errorMessage', message: unknown) {
    isEmitting = true
    connection.emit(event, message)
    isEmitting = false
  }

  function send(group: Group) {
    groups.push(group)
    sync()
  }

  function sendGathered() {
    if (!gathered || gathered.left === 0) return
    send(gathered)
    gathered = { left: 0 }
  }

  connection.sync = () => {
    if (gathered) gathered.left++
    else send({ left: 1 })
  }
  connection.query = (text) => {
    sendGathered()
    // A simple query has its own Sync, whatever the number of its statements.
    groups.push({ left: 1 })
    sendSimple(text)
  }

  function endStatement() {
    const group = groups[0]
    if (!group || group.left === 1) return
    group.left--
    emit('readyForQuery', { status: 'T' })
  }
  connection.on('commandComplete', endStatement)
  connection.on('emptyQuery', endStatement)
  // The driver closes a statement instead of running it if a parameter cannot be sent.
  connection.on('closeComplete', endStatement)

  connection.on('readyForQuery', () => {
    if (isEmitting) return
    const group = groups.shift()
    // After an error PostgreSQL skips everything up to the Sync.
    for (let skipped = (group?.left ?? 1) - 1; skipped > 0; skipped--) {
      emit('errorMessage', Object.assign(new Error(ABORTED), { code: '25P02' }))
      emit('readyForQuery', { status: 'E' })
    }
  })

  return () => {
    if (gathered) return
    gathered = { left: 0 }
    const { stream } = connection
    stream.cork()
    process.nextTick(() => {
      sendGathered()
      gathered = undefined
      stream.uncork()
    })
  }
}
