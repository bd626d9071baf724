import { Refusal } from '../../errors.ts'

/** The task ended its process, by taking too long or too much memory, or by a crash. It would probably do so again. */
export class WorkerKilled extends Error {
  constructor(why: 'time' | 'memory', seconds: number) {
    super(
      why === 'time'
        ? `It took more than ${seconds} seconds, so the attempt was ended.`
        : 'It took too much memory or crashed, so the attempt was ended.',
    )
  }
}

/** The server is stopping. The task was not finished, and nothing is wrong with it. */
export class WorkersStopped extends Refusal {
  constructor() {
    super(503, 'The server is restarting. Try again in a moment.')
  }
}

/** A defect in the task's code: it threw. */
export class WorkFailed extends Error {}
