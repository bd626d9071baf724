import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/longest-first.ts'
import { textLists } from './widget/text-lists.ts'

/** The only test of browser code that needs a real server. */
const WITH_SERVER = 'widget/window/realtime/socket.test.ts'

const SERVER = ['server/**/*.test.ts', 'contract/**/*.test.ts', 'tests/**/*.test.ts']

/** These read what was built, or start a database of their own. */
const NOT_PURE = /^tests\/(sizes|browser-support)\.test\.ts$|embedded\.test\.ts$/

/** Tests that use nothing of `tests/support` need no database. */
const PURE = globSync(SERVER, { exclude: ['tests/stories/**'] }).filter(
  (file) => !NOT_PURE.test(file) && !/(#tests|\.)\/support\//.test(readFileSync(file, 'utf8')),
)

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // More than a small machine has cores, because many tests mostly wait.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // A busy disk, or a worker process that has to start beside busy programs, delays what is polled for.
    expect: { poll: { timeout: 30_000 } },
    // Long enough for a busy or slow machine, where a process takes ten seconds to start; a test that hangs still fails.
    testTimeout: 150_000,
    hookTimeout: 150_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          globalSetup: ['tests/support/database-setup.ts', 'tests/support/world-setup.ts'],
          setupFiles: ['tests/support/bystanders/after-each.ts'],
          include: [...SERVER, WITH_SERVER],
          exclude: [...PURE, 'tests/stories/**', '**/node_modules/**'],
          // Loading the whole server again for each file took a third of the processor's time. So a file has to restore
          // what it changes in the process: settings, globals, state of modules.
          isolate: false,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        extends: true,
        test: { name: 'pure', include: PURE, isolate: false, unstubGlobals: true, unstubEnvs: true },
      },
      {
        extends: true,
        plugins: [textLists],
        // These emulate browser state, and their modules keep much of it between calls, so each file is isolated.
        test: {
          name: 'browser',
          include: ['dashboard/**/*.test.{ts,tsx}', 'widget/**/*.test.{ts,tsx}'],
          exclude: [WITH_SERVER, '**/node_modules/**'],
        },
      },
    ],
  },
})
