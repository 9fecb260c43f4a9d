import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { KontorError } from './errors.ts';

const MOST_MS = 60_000;
const MOST_MEGABYTES = 1024;

type Outcome<Answer> =
  | { readonly answer: Answer }
  | { readonly refused: { status: number; code: string; message: string; fields: KontorError['fields'] } };

/**
 * Runs a module that calls `answerFromThread` on a thread of its own, so that this one keeps answering requests, and returns its
 * answer. An abort of `signal` ends the thread.
 * @throws the signal's reason, the module's KontorError, or `tooLarge` if it takes more than a minute or 1 GB
 */
export async function runInThread<Answer>(
  module: URL,
  data: unknown,
  { signal, tooLarge }: { signal: AbortSignal; tooLarge: (cause: unknown) => KontorError },
): Promise<Answer> {
  const worker = new Worker(module, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  // `once` below listens until its signal aborts; what the thread throws after that must not end the program.
  worker.on('error', () => {});
  const timeout = AbortSignal.timeout(MOST_MS);
  let outcome: Outcome<Answer> | undefined;
  try {
    const messages: Outcome<Answer>[] = await once(worker, 'message', { signal: AbortSignal.any([signal, timeout]) });
    outcome = messages[0];
  } catch (error) {
    signal.throwIfAborted();
    const outOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw timeout.aborted || outOfMemory ? tooLarge(error) : error;
  } finally {
    await worker.terminate();
  }
  if (outcome === undefined) throw new Error('the thread has sent nothing');
  if ('answer' in outcome) return outcome.answer;
  const { status, code, message, fields } = outcome.refused;
  throw new KontorError(status, code, message, fields === undefined ? {} : { fields });
}

/** In the module of a thread: answers its data with the result of `work`, or with the KontorError that it throws. */
export async function answerFromThread(work: (data: unknown) => unknown): Promise<void> {
  parentPort?.postMessage(await outcomeOf(work));
}

async function outcomeOf(work: (data: unknown) => unknown): Promise<Outcome<unknown>> {
  try {
    return { answer: await work(workerData) };
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    const { status, code, message, fields } = error;
    return { refused: { status, code, message, fields } };
  }
}
