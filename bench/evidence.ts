import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'

const PROFILED_MS = 3_000
/** A page that does not answer for this long is given up. */
const TIMEOUT_MS = 20_000
const FOLDER = resolve(import.meta.dirname, '../data/bench-evidence')

/**
 * Runs a part of a bench in a page. If it hangs or fails, evidence is saved under the part's name: a screenshot, the
 * HTML, a profile of three seconds, and a heap snapshot.
 * @throws what the part threw
 * @throws what the part threw
 */
export async function withEvidence<Result>(part: string, page: Page, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const path = await openFolder(part)
    console.error(`${part} failed; see ${path} for details: ${error}`)
    const session = await page.context().newCDPSession(page)
    await within(page.screenshot({ path: join(path, 'screen.png') }))
    await within(describePage(page).then((text) => writeFile(join(path, 'page.json'), text)))
    await within(profile(session, join(path, 'thread.cpuprofile')))
    await within(snapshotHeap(session, join(path, 'held.heapsnapshot')))
    throw error
  }
}

/** Saves a heap snapshot for `chrome://inspect`, and returns its path. */
export async function saveHeap(part: string, session: CDPSession): Promise<string> {
  const file = join(await openFolder(part), 'held.heapsnapshot')
  await snapshotHeap(session, file)
  return file
}

async function openFolder(part: string): Promise<string> {
  const path = join(FOLDER, `${new Date().toISOString().replaceAll(':', '-')} ${part}`)
  await mkdir(path, { recursive: true })
  return path
}

/** The page's address, the focused element, and the measurements so far. */
async function describePage(page: Page): Promise<string> {
  const seen = await page.evaluate(() => ({
    url: location.href,
    visibility: document.visibilityState,
    focus: document.activeElement?.outerHTML.slice(0, 500),
    log: document.querySelector('[role=log]')?.textContent?.slice(0, 500),
    measured: [Reflect.get(window, 'painted')?.length, Reflect.get(window, 'typed')?.length],
    requests: performance
      .getEntriesByType('resource')
      .slice(-20)
      .map(({ name, startTime, duration }) => ({ name, startTime, duration })),
  }))
  return JSON.stringify(seen, null, 2)
}

async function profile(session: CDPSession, file: string): Promise<void> {
  await session.send('Profiler.enable')
  await session.send('Profiler.start')
  await sleep(PROFILED_MS)
  const { profile } = await session.send('Profiler.stop')
  await writeFile(file, JSON.stringify(profile))
}

async function snapshotHeap(session: CDPSession, file: string): Promise<void> {
  const out = createWriteStream(file)
  const writeChunk = ({ chunk }: { chunk: string }) => void out.write(chunk)
  session.on('HeapProfiler.addHeapSnapshotChunk', writeChunk)
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', writeChunk)
  await new Promise((done) => out.end(done))
}

/** Evidence is optional: errors and timeouts are ignored. */
async function within(work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(TIMEOUT_MS, undefined, { ref: false })]).catch((error) =>
    console.error(String(error)),
  )
}
