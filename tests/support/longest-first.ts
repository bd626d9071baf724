import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that mostly wait (for a hung database, a killed server, a vendor that is down), longest first. */
const LONG = [
  'tests/hostile.test.ts',
  'tests/restore.test.ts',
  'tests/billing-walk.test.ts',
  'server/platform/sandbox/sandbox.test.ts',
  'server/integrations/slack/failures.test.ts',
  'tests/frozen-database.test.ts',
  'tests/chaos/chaos.test.ts',
  'server/integrations/mailbox/mailbox.test.ts',
  'server/platform/realtime/nodes.test.ts',
  'server/integrations/google/sheets.test.ts',
  'tests/full-disk.test.ts',
]

/** Starts with slow files, so that the run does not end with one busy worker and idle others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const positionOf = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((file) => moduleId.endsWith(`/${file}`))
      return at < 0 ? LONG.length : at
    }
    return sorted.sort((a, b) => positionOf(a) - positionOf(b))
  }
}
