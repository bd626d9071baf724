import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { header, report } from './figures.ts'
import { type Installation, install } from './installation.ts'
import { databaseBytes, memoryOf, processorSeconds, residentBytes } from './processes.ts'
import { listen, openMany } from './sockets.ts'

/** `npm run bench:memory`: memory of an idle installation, and of each idle socket. Linux only: it reads /proc. */
const SOCKETS = 5_000
const BEATS = 5
const MIB = 2 ** 20

header('Memory')
const installation = await install({ conversations: SOCKETS, messages: 10_000, customers: SOCKETS })
try {
  await sleep(3_000)
  // `npm start` does so after its start, too.
  installation.server.send('collect')
  await sleep(3_000)
  const server = residentBytes(installation.server.pid!)
  const database = databaseBytes(installation.postmaster)
  report('idle server', `${(server / MIB).toFixed(0)} MiB`)
  report('idle database, all processes', `${(database / MIB).toFixed(0)} MiB`)
  report('together', `${((server + database) / MIB).toFixed(0)} MiB [≤ 200]`)

  const client = new pg.Client(installation.database)
  await client.connect()
  const { rows } = await client.query('select id, customer_id from conversations limit $1', [SOCKETS])
  await client.end()
  // Code, pools and growth of the heap come with the first clients; they are not counted for an idle socket.
  const warm = await openIdle(installation, rows.slice(0, 1_000))
  warm.close()
  await sleep(2_000)
  const before = await memoryOf(installation)
  const { sockets, close } = await openIdle(installation, rows)
  await sleep(3_000)
  const after = await memoryOf(installation)
  const each = (name: 'rss' | 'heapUsed') => ((after[name] - before[name]) / SOCKETS / 1024).toFixed(1)
  report(
    `each of ${SOCKETS} idle sockets, joined and present`,
    `${each('rss')} KiB resident, ${each('heapUsed')} KiB of it heap [≤ 6 kB]`,
  )
  const beaten = processorSeconds([installation.server.pid!])
  for (let beat = 0; beat < BEATS; beat++) {
    for (const socket of sockets) socket.send('[null,"9","phoenix","heartbeat",{}]')
    await sleep(2_000)
  }
  const spent = processorSeconds([installation.server.pid!]) - beaten
  report(
    '  a heartbeat, of which each sends two a minute',
    `${((spent * 1e6) / BEATS / SOCKETS).toFixed(0)} µs of a processor`,
  )
  close()
} finally {
  await installation.close()
}

function openIdle({ url }: Installation, conversations: { id: string; customer_id: string }[]) {
  return openMany(conversations.length, (i) => {
    const { id, customer_id } = conversations[i]!
    return listen(url, '', [`conversation:${id}`], { customer_id }, () => undefined)
  })
}
