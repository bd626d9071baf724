import { defineConfig } from 'vitest/config'

/** Stories in a real browser, two files at a time: each file drives visitors and agents against a whole server of its own. */
export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/global-setup.ts'],
    include: ['tests/stories/**/*.story.ts'],
    pool: 'forks',
    // A machine that stops for a second must not fail what is right; what needed a second try is reported as such.
    retry: 1,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
