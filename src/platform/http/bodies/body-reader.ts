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
/** How long the thread stays without work: an idle one costs some 40 MB. */
const IDLE_MS = 30_000;

/** Parses large JSON bodies in a separate thread that exists only while there is work. */
export class BodyReader {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private readonly waiting = new Map<number, Waiter>();
  private last = 0;

  /**
   * Returns the body of a call, checked against the call's schema; undefined if the text is not JSON.
   * @throws KontorError as for a small body; 413 when parsing it takes more memory than allowed
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
    // The idle thread must not keep the program running; while a request waits for it, the client's connection does.
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
