import { Refusal } from '../../../errors.ts'

/** For requests of accounts without a model. */
export const NO_MODEL = 'No language model is switched on. An admin can do that under Settings › Language model.'

/** A model was not asked, or did not answer as it should. The message is a sentence that says what to do. */
export class ModelRefused extends Refusal {
  constructor(message: string) {
    super(422, message, 'language_model')
  }
}
