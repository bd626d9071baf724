import { readingTools } from './reading.ts'
import type { Tool } from './tool.ts'
import { writingTools } from './writing.ts'

/** All tools of assistants, in the order in which they are listed. Another one is an entry in these lists. */
export const TOOLS: readonly Tool[] = [...readingTools, ...writingTools]
