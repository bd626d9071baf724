import { actions } from './en/actions.ts'
import { common } from './en/common.ts'
import { customers } from './en/customers.ts'
import { inbox } from './en/inbox.ts'
import { settings } from './en/settings.ts'
import { signingIn } from './en/signing-in.ts'
import { widget } from './en/widget.ts'

/** Every text of the screens, by place. Those of the specification stand here word for word. */
export const en = { ...common, ...signingIn, ...settings, ...widget, ...inbox, ...actions, ...customers }
