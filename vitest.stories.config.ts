import { defineConfig } from 'vitest/config'

/** A few stories in a real browser, one at a time: each drives a visitor and an agent against a whole server. */
export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/global-setup.ts'],
    include: ['tests/stories/**/*.story.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
