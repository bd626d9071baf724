import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/bystanders/after-each.ts'],
    include: [
      'server/**/*.test.ts',
      'contract/**/*.test.ts',
      'tests/**/*.test.ts',
      'dashboard/**/*.test.{ts,tsx}',
      'widget/**/*.test.{ts,tsx}',
    ],
    exclude: ['tests/stories/**', '**/node_modules/**'],
    pool: 'forks',
    maxWorkers: 3,
    // What comes in a moment may take a while where the disk is busy.
    expect: { poll: { timeout: 10_000 } },
    // Long enough for a busy machine: what hangs is found all the same.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
