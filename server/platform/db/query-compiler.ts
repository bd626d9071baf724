import { type BinaryOperationNode, OperatorNode, PostgresQueryCompiler, PrimitiveValueListNode } from 'kysely'

/** What a list of values is compared by instead of `in` and `not in`. */
const COMPARED_BY: Record<string, string> = { in: ' = any(', 'not in': ' <> all(' }
/** How many values PostgreSQL expects in an array that it does not know yet. */
const EXPECTED = 10

/**
 * Sends a list of values as one array: a statement has the same text for any number of values, so it can stay prepared,
 * and an empty list is allowed.
 */
export class ArrayQueryCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const comparison = OperatorNode.is(operator) ? COMPARED_BY[operator.operator] : undefined
    if (comparison && PrimitiveValueListNode.is(rightOperand)) {
      this.visitNode(leftOperand)
      this.append(comparison)
      this.appendValue(fill([...rightOperand.values]))
      this.append(')')
    } else super.visitBinaryOperation(node)
  }
}

/**
 * Repeats the last value of a short list. PostgreSQL would plan the statement anew for each short list, because a plan for
 * two values seems better than the prepared one, which is for ten; planning takes longer than reading.
 */
function fill(values: unknown[]): unknown[] {
  while (values.length > 0 && values.length < EXPECTED) values.push(values.at(-1))
  return values
}
