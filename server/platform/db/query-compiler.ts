import { type BinaryOperationNode, OperatorNode, PostgresQueryCompiler, PrimitiveValueListNode } from 'kysely'

/** What a list of values is compared by instead of `in` and `not in`. */
const COMPARED_BY: Record<string, string> = { in: ' = any(', 'not in': ' <> all(' }

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
      this.appendValue([...rightOperand.values])
      this.append(')')
    } else super.visitBinaryOperation(node)
  }
}
