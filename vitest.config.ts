import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/longest-first.ts'

/** The only test of what runs in a browser that speaks with a real server. */
const WITH_SERVER = 'widget/window/realtime/socket.test.ts'

export default defineConfig({
  test: {
    environment: 'node',
    pool: 'forks',
    // More than a small machine has cores: many tests wait most of their time.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    // What comes in a moment may take a while where the disk is busy.
    expect: { poll: { timeout: 10_000 } },
    // Long enough for a busy machine: what hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          globalSetup: ['tests/support/global-setup.ts'],
          setupFiles: ['tests/support/bystanders/after-each.ts'],
          include: ['server/**/*.test.ts', 'contract/**/*.test.ts', 'tests/**/*.test.ts', WITH_SERVER],
          exclude: ['tests/stories/**', '**/node_modules/**'],
          // Reading the whole server in anew for each file took a third of the processor's time. So what a file changes of
          // the process (settings, globals, what a module keeps) it puts back.
          isolate: false,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        extends: true,
        // These stand in for what a browser keeps, and their modules keep much between calls.
        test: {
          name: 'browser',
          include: ['dashboard/**/*.test.{ts,tsx}', 'widget/**/*.test.{ts,tsx}'],
          exclude: [WITH_SERVER, '**/node_modules/**'],
        },
      },
    ],
  },
})
