/**
 * Long lists, of which only what is near the view is rendered. `VirtualList` scrolls by itself; `VirtualLines` are inside
 * an element that scrolls. Both measure their lines, so these may have any height.
 */
import { repairResizeObserver } from './resize-observer.ts'

export {
  Virtualizer as VirtualLines,
  type VirtualizerHandle as VirtualLinesHandle,
  VList as VirtualList,
  type VListHandle as VirtualListHandle,
} from 'virtua'

repairResizeObserver(window)
