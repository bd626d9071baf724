import { spawnSync } from 'node:child_process'

// `npm run test:old-browsers` opens chat and dashboard once without each feature that the oldest browsers lack.

const { status } = spawnSync('npm', ['run', 'test:stories', '--', 'tests/stories/newer-features.story.ts'], {
  stdio: 'inherit',
  env: { ...process.env, EACH_FEATURE: '1' },
})
process.exitCode = status ?? 1
