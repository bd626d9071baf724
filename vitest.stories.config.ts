import { defineConfig } from 'vitest/config'

/**
 * Stories in a real browser, two files at a time. Each file starts a whole server and drives visitors and agents
 * against it.
 */
export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/database-setup.ts'],
    setupFiles: ['tests/stories/on-failure.ts'],
    include: ['tests/stories/**/*.story.ts'],
    pool: 'forks',
    // Each of the two workers loads Playwright and the shared code once, and has one browser.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
