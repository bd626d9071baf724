import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import { Button } from '../../../ui/Button.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import styles from './VariableTools.module.css'
import { fillVariables, VARIABLES } from './variables.ts'

interface ToolsProps {
  content: string
  /** Inserts a text at the caret. */
  insert: (text: string) => void
}

/** Inserts variables into a saved reply, explains them, and shows a preview. */
export function VariableTools({ content, insert }: ToolsProps) {
  const { t } = useTranslation()
  const { me, account } = useTeam()
  const filled = fillVariables(content, {
    'customer.name': 'Carla',
    'customer.email': 'carla@example.com',
    'customer.company': 'Lumen & Oak',
    'agent.name': userName(account.users.find(({ id }) => id === me.id)),
    'account.name': account.company_name,
  })
  return (
    <>
      <fieldset className={styles.variables} aria-label={t('saved_replies.variables')}>
        {VARIABLES.map((variable) => (
          <Button key={variable} size="small" onClick={() => insert(`{${variable}}`)}>
            {t(`saved_replies.variable.${nameOf(variable)}`)}
          </Button>
        ))}
      </fieldset>
      <p className={styles.hint}>
        {t('saved_replies.variables_hint')} <code>{'{customer.name|there}'}</code>
      </p>
      {filled !== content && (
        <div className={styles.preview}>
          <span className={styles.hint}>{t('saved_replies.preview')}</span>
          <p dir="auto">{filled}</p>
        </div>
      )}
    </>
  )
}

type VariableName = 'customer_name' | 'customer_email' | 'customer_company' | 'agent_name' | 'account_name'

function nameOf(variable: (typeof VARIABLES)[number]): VariableName {
  return variable.replace('.', '_') as VariableName
}
