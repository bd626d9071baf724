import { useCallback, useMemo, useState } from 'react'
import { browserSessions, isOnHosts } from '#contract/widget/live-sessions.ts'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { asDataAddress, fetchBlob } from '../../platform/http/download.ts'
import type { PageFile } from '../../replay-box/protocol.ts'

/** Parallel requests, limited so that others are not delayed. */
const AT_ONCE = 3
/** The most characters of files for one page. */
const MAX_CHARACTERS = 40_000_000

/** Fetches files that a watched page needs, from the hosts that the account allows; without any it fetches nothing. */
export function usePageFiles() {
  const { replay_hosts } = useTeam().account.settings
  const hosts = useMemo(() => replay_hosts ?? [], [replay_hosts])
  const [queue] = useState(() => ({ waiting: [] as string[], running: 0, size: 0 }))
  return useCallback(
    (addresses: string[], got: (file: PageFile) => void) => {
      queue.waiting.push(...addresses.filter((address) => isOnHosts(address, hosts)))
      async function run() {
        for (let address = queue.waiting.shift(); address !== undefined; address = queue.waiting.shift()) {
          const file = queue.size < MAX_CHARACTERS && (await fetchPageFile(address))
          if (!file) continue
          queue.size += file.content.length
          got(file)
        }
        queue.running--
      }
      while (queue.running < AT_ONCE && queue.waiting.length > 0) {
        queue.running++
        void run()
      }
    },
    [hosts, queue],
  )
}

/** Undefined if it cannot be loaded; its place then stays empty. */
async function fetchPageFile(address: string): Promise<PageFile | undefined> {
  try {
    const blob = await fetchBlob(browserSessions.pageFile, { url: address })
    const is_style = blob.type === 'text/css'
    return { address, is_style, content: is_style ? await blob.text() : await asDataAddress(blob) }
  } catch {
    return undefined
  }
}
