/**
 * Something the person who starts the server has to put right. The message is one whole sentence (or a few lines of
 * them) and is printed as it stands, without a stack.
 */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
