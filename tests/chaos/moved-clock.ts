import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Debian's package `faketime`. */
const LIBRARY = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`

/** The clock of a server and its database, which can be set while they run. */
export interface MovedClock {
  /** For the server's process; its database inherits it. */
  env: Record<string, string>
  /** Sets it so many seconds before the machine's own clock. */
  move(seconds: number): Promise<void>
}

/**
 * Only the time of day moves, as when somebody sets a clock: what measures durations goes on.
 * @returns undefined where the package `faketime` is not installed
 */
export async function movedClock(dataDir: string): Promise<MovedClock | undefined> {
  if (!existsSync(LIBRARY)) return
  const file = join(dataDir, 'clock')
  const move = (seconds: number) => writeFile(file, `+${seconds}\n`)
  await move(0)
  return {
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    move,
  }
}
