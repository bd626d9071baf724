import * as z from 'zod/mini'
import type { AssistantScope, AssistantSettings } from '#contract/developers/assistants.ts'
import type { Answer, BodyInput, Endpoint, QueryInput } from '#contract/endpoint.ts'

/** Makes a call of the contract in the name of the assistant's user, with that user's rights. */
export type ToolCall = <E extends Endpoint>(
  endpoint: E,
  input?: { params?: Record<string, string>; query?: QueryInput<E>; body?: BodyInput<E> },
) => Promise<Answer<E>>

/** What an assistant can do: one or more calls of the contract, with a result that is short enough for a model. */
export interface Tool<Input extends z.ZodMiniType = z.ZodMiniType> {
  name: string
  /** What the assistant's user must have allowed. */
  scope: AssistantScope
  title: string
  /** For the model: what it does, and when to use it. */
  description: string
  input: Input
  run(call: ToolCall, input: z.output<Input>, settings: AssistantSettings): Promise<object>
}

/** Declares a tool. The compiler checks its calls against the contract. */
export function defineTool<Input extends z.ZodMiniType>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool
}

/** An id in the input of a tool. */
export function ToolId(of: string) {
  return z.guid().check(z.describe(`Id of ${of}.`))
}
