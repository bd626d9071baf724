import { defineConfig } from 'vitest/config'

/**
 * Stories in a real browser. Each file starts a whole server and drives visitors and agents against it.
 */
export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/database-setup.ts'],
    setupFiles: ['tests/stories/on-failure.ts', 'tests/stories/keep-pictures.ts'],
    // `npm run pictures -- --engine NAME` walks the screens in place of the stories.
    include: [process.env.PICTURES_ENGINE ? 'tests/stories/screens.ts' : 'tests/stories/**/*.story.ts'],
    pool: 'forks',
    // Each worker loads Playwright and the shared code once, and has one browser.
    isolate: false,
    // More than a small machine has cores: with two, a third of the processor's time was spent waiting.
    maxWorkers: 3,
    testTimeout: 150_000,
    hookTimeout: 150_000,
  },
})
