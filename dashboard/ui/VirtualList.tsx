/**
 * Long lists, of which only what is near the view is rendered. `VirtualList` scrolls by itself; `VirtualLines` are inside
 * an element that scrolls. Both measure their lines, so these may have any height.
 */
import { observeLaidOutSizes } from './laid-out-sizes.ts'

export {
  Virtualizer as VirtualLines,
  type VirtualizerHandle as VirtualLinesHandle,
  VList as VirtualList,
  type VListHandle as VirtualListHandle,
} from 'virtua'

observeLaidOutSizes(window)
