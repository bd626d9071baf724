import { actions } from './vi/actions.ts'
import { common } from './vi/common.ts'
import { customers } from './vi/customers.ts'
import { inbox } from './vi/inbox.ts'
import { settings } from './vi/settings.ts'
import { signingIn } from './vi/signing-in.ts'
import { widget } from './vi/widget.ts'

/** The texts of the screens in Vietnamese, in the order of the English ones. */
export const vi = { ...common, ...signingIn, ...settings, ...widget, ...inbox, ...actions, ...customers }
