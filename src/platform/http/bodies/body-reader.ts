import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { KontorError } from '#platform/errors.ts';
import type { Call } from '#shared/http/call.ts';

const Answer = z.object({
  id: z.number(),
  read: z.object({ body: z.unknown() }).optional(),
  refused: z
    .object({
      status: z.number(),
      code: z.string(),
      message: z.string(),
      fields: z.array(z.object({ field: z.string(), message: z.string() })),
    })
    .optional(),
});
type Answer = z.infer<typeof Answer>;
type Waiter = { resolve: (answer: Answer) => void; reject: (error: Error) => void };

const MOST_MEGABYTES = 1024;
/** A thread that has nothing to do costs some 40 MB. */
const IDLE_MS = 30_000;

/** Reads large JSON bodies on a thread of its own, which lives while there are some. */
export class BodyReader {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private readonly waiting = new Map<number, Waiter>();
  private last = 0;

  /**
   * The body of a call, checked by the call's schema; undefined when the text is not JSON.
   * @throws KontorError, the same as a small body gets; 413 when reading it takes more memory than a body may
   */
  async read({ method, path }: Call, text: string): Promise<{ body: unknown } | undefined> {
    const id = ++this.last;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.thread().postMessage({ id, call: `${method} ${path}`, text });
    });
    const { refused, read } = answer;
    if (refused === undefined) return read;
    const { status, code, message, fields } = refused;
    throw new KontorError(status, code, message, fields.length === 0 ? {} : { fields });
  }

  private thread(): Worker {
    clearTimeout(this.idle);
    if (this.worker !== undefined) return this.worker;
    const worker = new Worker(new URL('./body-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    });
    worker.on('message', (message) => {
      const answer = Answer.parse(message);
      this.waiting.get(answer.id)?.resolve(answer);
      this.waiting.delete(answer.id);
      if (this.waiting.size === 0) this.rest(worker);
    });
    worker.on('error', (error) => this.fail(worker, error));
    worker.on('exit', () => this.fail(worker, new Error('the thread that reads bodies has ended')));
    // The program may end while it rests; while somebody waits for it, his connection keeps the program.
    worker.unref();
    this.worker = worker;
    return worker;
  }

  private rest(worker: Worker): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      if (this.worker === worker) this.worker = undefined;
      void worker.terminate();
    }, IDLE_MS).unref();
  }

  private fail(worker: Worker, error: unknown): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const failed = tooLarge(error);
    for (const { reject } of this.waiting.values()) reject(failed);
    this.waiting.clear();
  }
}

const tooLarge = (cause: unknown) =>
  new KontorError(
    413,
    'body_unreadable',
    'Die Anfrage ist zu groß, um sie zu lesen. Es wurde nichts gespeichert; bitte senden Sie weniger Zeilen auf einmal.',
    { cause },
  );
