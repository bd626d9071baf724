import { Refusal } from '../../../errors.ts'

/** A model was not asked, or did not answer as it should. The message is a sentence that says what to do. */
export class ModelRefused extends Refusal {
  constructor(message: string) {
    super(422, message, 'language_model')
  }
}
