export type {
  Parley,
  ParleyCommand,
  ParleyConfig,
  ParleyCustomer,
  ParleyEvents,
  ParleyHandle,
  ParleyMessage,
} from '../loader/types.ts'
export { ChatWidget, ChatWidget as default, type ChatWidgetProps } from './ChatWidget.tsx'
export { call as parley } from './parley.ts'
