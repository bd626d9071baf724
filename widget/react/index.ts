export type {
  Parley,
  ParleyCommand,
  ParleyConfig,
  ParleyCustomer,
  ParleyEvents,
  ParleyHandle,
  ParleyMessage,
} from '../loader/types.ts'
export { ChatWidget, ChatWidget as default, type ChatWidgetProps, type ToggleButtonOptions } from './ChatWidget.tsx'
export { ChatWindow, type ChatWindowProps } from './ChatWindow.tsx'
export { call as parley, close, identify, open, Papercups, toggle } from './parley.ts'
export type { SavedSettings } from './saved.ts'
