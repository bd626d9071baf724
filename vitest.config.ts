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
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
