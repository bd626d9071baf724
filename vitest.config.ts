import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['tests/support/global-setup.ts'],
    include: [
      'server/**/*.test.ts',
      'contract/**/*.test.ts',
      'tests/**/*.test.ts',
      'dashboard/**/*.test.{ts,tsx}',
      'widget/**/*.test.{ts,tsx}',
    ],
    exclude: ['tests/stories/**', '**/node_modules/**'],
    pool: 'forks',
    // A machine that stops for a second must not fail what is right; what needed a second try is reported as such.
    retry: 1,
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
