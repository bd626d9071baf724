import { readFile } from 'node:fs/promises'

/** Resident memory of a process and its Node children, without PostgreSQL. */
export async function megabytesOf(pid: number): Promise<number> {
  const ours = [pid, ...(await childrenOf(pid))]
  let kilobytes = 0
  for (const id of ours) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
    if (/^Name:\s*postgres/m.test(status)) continue
    kilobytes += Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0)
  }
  return Math.round(kilobytes / 1024)
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return children.split(' ').filter(Boolean).map(Number)
}
