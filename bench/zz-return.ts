import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '#tests/support/redis-server.ts'
import { install } from './installation.ts'
import { pickConversations, signInVisitors } from './messages.ts'
import { databaseProcesses, processorSeconds } from './processes.ts'
import { listen } from './sockets.ts'

const N = Number(process.env.N ?? 2500)
const redis = process.env.REDIS ? await startRedis() : undefined
const inst = await install({ conversations: N, messages: N * 2, customers: N }, {
  ...(redis ? { REDIS_URL: redis.url } : {}),
  ...(process.env.PROF ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${process.env.PROF}` } : {}),
})
try {
  const places = await pickConversations(inst.database, N)
  const tokens = await signInVisitors(inst, places)
  const cursor = ((await (await fetch(`${inst.url}/api/events`, { headers: { authorization: tokens[0]! } })).json()) as { cursor: string }).cursor
  for (let round = 0; round < Number(process.env.ROUNDS ?? 4); round++) {
    const before = [processorSeconds([inst.server.pid!]), processorSeconds(databaseProcesses(inst.postmaster)), process.cpuUsage()] as const
    const t = performance.now()
    let joined = 0
    const sockets = await Promise.all(places.map(async (place, i) => {
      await sleep(350 + Math.random() * 300)
      const s = await listen(inst.url, `&token=${tokens[i]}`, `conversation:${place.id}`, { customer_id: place.customer_id }, () => {})
      if (++joined === N) console.log('  all joined', ((performance.now() - t) / 1000).toFixed(2))
      if (process.env.CATCH !== '0') {
        const answer = await fetch(`${inst.url}/api/events?after=${cursor}`, { headers: { authorization: tokens[i]! } })
        if (!answer.ok) throw new Error(await answer.text())
        await answer.json()
      }
      return s
    }))
    const took = performance.now() - t
    await sleep(500)
    const cpu = process.cpuUsage(before[2])
    console.log(`round ${round}: ${(took / 1000).toFixed(2)} s, server ${((processorSeconds([inst.server.pid!]) - before[0]) * 1000 / N).toFixed(2)}, db ${((processorSeconds(databaseProcesses(inst.postmaster)) - before[1]) * 1000 / N).toFixed(2)}, bench ${((cpu.user + cpu.system) / 1000 / N).toFixed(2)} ms each`)
    for (const s of sockets) s.terminate()
    await sleep(3000)
  }
} finally {
  await inst.close()
  await redis?.stop()
}
