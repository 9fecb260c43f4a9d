import { fork, type ChildProcess } from 'node:child_process';
import { z } from 'zod';
import { compileCache } from '#platform/compile-cache.ts';
import type { ImportResult } from '#shared/import/schema.ts';
import { importProgressSchema, type ImportHooks } from '#feed/import/reader/request.ts';
import type { ReaderOrder } from './child.ts';

const answerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), progress: importProgressSchema }),
  z.object({ type: z.literal('result'), result: z.unknown() }),
  z.object({ type: z.literal('fault'), text: z.string() }),
]);

export type ReaderFailure = Extract<ImportResult, { ok: false }>;

export type ChildRun<T> = {
  /** Path of the child's module. */
  module: string;
  order: ReaderOrder;
  /** Parses the child's result. */
  result: z.ZodType<T>;
  hooks: ImportHooks;
  /** The child is killed when it has reported no new progress for this long, in milliseconds. */
  silenceMs: number;
  heapMegabytes: number;
  /** Receives the child's stderr and fault text when it failed, for the log. */
  onFault(text: string): void;
};

const endings = {
  memory: {
    ok: false,
    code: 'out_of_memory',
    message:
      'Die Datei braucht beim Lesen mehr Arbeitsspeicher als erlaubt. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte teilen Sie die Datei oder prüfen Sie sie auf übergroße Einträge.',
  },
  silence: {
    ok: false,
    code: 'stuck',
    message:
      'Der Import kam nicht mehr voran und wurde beendet. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte starten Sie ihn erneut; geschieht es wieder, prüfen Sie die Datei.',
  },
  crash: {
    ok: false,
    code: 'reader_crashed',
    message:
      'Beim Lesen der Datei ist ein unerwarteter Fehler aufgetreten. Es wurde nichts importiert, der bisherige Stand bleibt. Bitte starten Sie den Import erneut oder melden Sie sich beim Betreiber.',
  },
} as const satisfies Record<string, ReaderFailure>;

function endingOf(fault: string, code: number | null, signal: string | null): ReaderFailure {
  const memory = /heap out of memory|out of memory|bad_alloc|failed to allocate|cannot allocate/iu.test(fault);
  return memory || code === 134 || signal === 'SIGABRT' ? endings.memory : endings.crash;
}

function start(module: string, heapMegabytes: number): ChildProcess {
  const environment = {
    PATH: process.env['PATH'],
    TZ: process.env['TZ'],
    NODE_NO_WARNINGS: '1',
    // Loading the program's own modules is most of the cost of a small import; the compile cache halves it.
    NODE_COMPILE_CACHE: compileCache,
  };
  return fork(module, [], {
    execPath: process.execPath,
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: environment,
  });
}

/**
 * Runs an order of the reader in a child process until it ends. An abort kills the child and rejects with the signal's reason; a crash, lack
 * of memory or a standstill becomes a result with a German message. The child never outlives this call.
 */
export function runChild<T>(run: ChildRun<T>): Promise<T | ReaderFailure> {
  const { hooks } = run;
  hooks.signal?.throwIfAborted();
  const child = start(run.module, run.heapMegabytes);
  let faults = '';
  let result: { value: T } | undefined;
  let last = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    faults = (faults + text).slice(-20_000);
  });
  return new Promise((resolve, reject) => {
    let ending: ReaderFailure | undefined;
    const alarm = setTimeout(() => {
      ending = endings.silence;
      child.kill('SIGKILL');
    }, run.silenceMs);
    const abort = () => child.kill('SIGKILL');
    hooks.signal?.addEventListener('abort', abort, { once: true });
    child.on('message', (message: unknown) => {
      const answer = answerSchema.safeParse(message);
      if (!answer.success) return;
      if (answer.data.type === 'result') result = { value: run.result.parse(answer.data.result) };
      else if (answer.data.type === 'fault') faults += answer.data.text;
      else {
        const text = JSON.stringify(answer.data.progress);
        if (text !== last) alarm.refresh();
        last = text;
        hooks.onProgress(answer.data.progress);
      }
    });
    child.on('error', (error) => {
      faults += String(error);
    });
    child.on('close', (code, signal) => {
      clearTimeout(alarm);
      hooks.signal?.removeEventListener('abort', abort);
      if (hooks.signal?.aborted) reject(hooks.signal.reason);
      else if (result) resolve(result.value);
      else {
        run.onFault(`exit ${code ?? signal}: ${faults}`);
        resolve(ending ?? endingOf(faults, code, signal));
      }
    });
    child.send(run.order, (error) => {
      if (error) faults += String(error);
    });
  });
}
