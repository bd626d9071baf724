/**
 * An error that the operator has to solve. The message is one or more whole sentences and is printed without a stack.
 */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
