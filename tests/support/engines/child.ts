import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

export interface Child {
  process: ChildProcess
  /** Kills the process and everything that it has started. */
  end(): Promise<void>
}

/** Starts a program in a process group of its own, so that what it starts ends with it. */
export function startChild(command: string, args: string[], options: SpawnOptions = {}): Child {
  const child = spawn(command, args, { stdio: 'ignore', ...options, detached: true })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const kill = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  process.once('exit', kill)
  return {
    process: child,
    async end() {
      process.off('exit', kill)
      kill()
      await ended
    },
  }
}
