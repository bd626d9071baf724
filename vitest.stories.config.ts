import { defineConfig } from 'vitest/config'

/** Stories in a real browser, two files at a time: each file drives visitors and agents against a whole server of its own. */
export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/stories/on-failure.ts'],
    include: ['tests/stories/**/*.story.ts'],
    pool: 'forks',
    // Playwright and what stories share are read once by each of the two, and each has one browser.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
