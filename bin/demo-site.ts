import { parseArgs } from 'node:util'
import { startDemoSite } from '#tests/support/demo-site.ts'

/** `npm run demo-site -- --token <account id>` serves a demo shop whose pages embed the chat. */
async function main() {
  const { values } = parseArgs({
    options: {
      token: { type: 'string' },
      inbox: { type: 'string' },
      server: { type: 'string', default: 'http://localhost:4000' },
      port: { type: 'string', default: '4001' },
    },
  })
  const { token, inbox, server, port } = values
  if (!token)
    throw new Error(
      'Pass the account whose chat to show: --token <account id>. It is in the dashboard, in the settings of the inbox.',
    )
  const { url } = await startDemoSite({ token, inbox, server: new URL(server).origin, port: Number(port) })
  console.log(`A demo shop with the chat of ${server}: ${url}`)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
