import { afterEach } from 'vitest'
import { describeOpenPages } from '#tests/support/browser.ts'

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(`Open pages after "${task.name}":\n${await describeOpenPages()}`)
})
