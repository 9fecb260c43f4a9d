import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { compileCache } from '#platform/compile-cache.ts';
import { KontorError } from '#platform/errors.ts';
import { FromCalculator, type ToCalculator, type Way } from './calculator-messages.ts';
import type { CompanyLoads } from './company-loads.ts';
import type { Connection, DuckRow, Statement, Task, TextRow } from './connection.ts';
import { type DuckOptions, spillFolder } from './instance.ts';

/**
 * How long, in ms, an interrupted statement may go on: DuckDB checks for interrupts from time to time, but not while it plans a
 * statement, which can take minutes.
 */
const INTERRUPT_MS = 1500;
/**
 * Processor time in ms that the process must have used since the interrupt before it is killed: on a slow or busy machine a
 * process that is just starting, or waits for a processor, reacts late. Killing it would lose the answers to its company's other
 * questions, and the next question would need a new process.
 */
const COMPUTED_MS = 1000;
/** An interrupted statement that neither ends nor computes for this long is stuck. */
const LONGEST_MS = 15_000;
/** Interval in ms at which the processor time of a question, and its end after an interrupt, are checked. */
const CHECK_MS = 500;
/**
 * Lowered priority: on a full machine a slow process gets a third of the time of a normal one. Jobs run with normal priority,
 * and users still want previews while they run.
 */
const SLOW_NICENESS = Math.min(19, getPriority() + 5);

/** The DuckDB process was lost, usually because of another question of the same company. */
export class LostCalculation extends KontorError {
  constructor(cause?: unknown) {
    super(
      503,
      'calculation_lost',
      'Die Berechnung wurde beendet, weil eine andere zu viel Rechenzeit oder Arbeitsspeicher brauchte. Gespeichert ist alles wie bisher; bitte versuchen Sie es erneut.',
      { cause, retryAfter: 1 },
    );
  }
}

/** Linux counts processor time in hundredths of a second, on every machine that Node runs on. */
const TICK_MS = 10;

/** Returns the processor time of a process in ms, all threads together; undefined if unknown or if the process has ended. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name is in brackets and may contain anything; user and system time are the 12th and 13th field after it.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return user === undefined || system === undefined ? undefined : (user + system) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Returns the ids of a process's threads: Linux gives each its own priority, and DuckDB computes on several. */
function threadsOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}

type Portion = { readonly rows: unknown[]; readonly done: boolean };
type Question = { readonly connection: number; answer: PromiseWithResolvers<Portion> };

type Message<Do extends ToCalculator['do']> = Omit<Extract<ToCalculator, { do: Do }>, 'id' | 'connection'>;
type QueryMessage = Message<'ask'> | Message<'answer'>;

const askMessage = (way: Way, { sql, values }: Statement): Message<'ask'> => ({
  do: 'ask',
  way,
  sql,
  values: [...values],
});

const refusal = ({
  status,
  code,
  message,
  fields,
  retryAfter,
}: Extract<FromCalculator, { refused: object }>['refused']) =>
  new KontorError(status, code, message, {
    ...(fields === undefined ? {} : { fields }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });

/** Returns a promise of a question's next rows. It may reject unawaited, if the reader has not requested more yet. */
function nextPortion(): PromiseWithResolvers<Portion> {
  const next = Promise.withResolvers<Portion>();
  next.promise.catch(() => {});
  return next;
}

/**
 * DuckDB in a process of its own. It uses neither this process's memory nor its thread, gets a lower priority when its companies
 * compute much, and can be killed at any time.
 */
export class DuckDbProcess {
  private readonly child: ChildProcess;
  private readonly options: DuckOptions;
  private readonly loads: CompanyLoads;
  private readonly onFree: () => void;
  private readonly questions = new Map<number, Question>();
  private last = 0;
  /** The company that asked last, and when: its files are still cached in this process. */
  lastAsked = { company: '', at: Number.NEGATIVE_INFINITY };
  /** Processor time in ms already charged to companies. */
  private charged = 0;
  /** Open connections, with the company that uses each. */
  private readonly connections = new Map<number, string>();
  /** Whether the process has ended. */
  isLost = false;
  /** Whether it has a lower priority, as it computes for companies that computed much. */
  isSlow = false;

  /** `onFree` is called when the last connection was closed, and when the process has ended. */
  constructor(options: DuckOptions, loads: CompanyLoads, onFree: () => void) {
    this.options = options;
    this.loads = loads;
    this.onFree = onFree;
    this.child = fork(new URL('./calculator.ts', import.meta.url), [], {
      serialization: 'advanced',
      execArgv: [],
      env: { NODE_COMPILE_CACHE: compileCache, TZ: process.env['TZ'] },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child.on('message', (message) => this.take(FromCalculator.parse(message)));
    this.child.on('error', (error) => this.onLost(error));
    this.child.on('exit', (code, signal) => this.onLost(new Error(`ended with ${code ?? signal}`)));
    this.send({ do: 'open', options });
    this.rest();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get running(): number {
    return this.questions.size;
  }

  get isFree(): boolean {
    return this.connections.size === 0;
  }

  /** Whether it runs a question of this company. */
  serves(company: string): boolean {
    return [...this.questions.values()].some(({ connection }) => this.connections.get(connection) === company);
  }

  connect(company: string): Connection {
    const connection = ++this.last;
    this.connections.set(connection, company);
    this.lastAsked = { company, at: performance.now() };
    const isLost = () => this.isLost;
    return {
      get isLost() {
        return isLost();
      },
      computed: (statement) => this.ask<DuckRow>(connection, askMessage('computed', statement)),
      stream: (statement) => this.ask<DuckRow>(connection, askMessage('stream', statement)),
      streamTexts: (statement) => this.ask<TextRow>(connection, askMessage('streamTexts', statement)),
      answer: ({ module, name, question }: Task) =>
        this.ask<Uint8Array>(connection, { do: 'answer', module, name, question }),
      interrupt: () => this.interrupt(connection),
      close: () => this.closeConnection(connection),
    };
  }

  /** Kills the process at once, with all its questions. */
  end(): void {
    this.child.kill('SIGKILL');
  }

  private async *ask<Row>(connection: number, message: QueryMessage): AsyncGenerator<Row[]> {
    if (this.isLost) throw new LostCalculation();
    const id = ++this.last;
    const company = this.connections.get(connection) ?? '';
    // Time used before this question, by itself or for others, is not charged to this company.
    if (this.questions.size === 0) this.charged = processorMs(this.child.pid) ?? this.charged;
    const timer = setInterval(() => this.charge(company), CHECK_MS).unref();
    const question: Question = { connection, answer: nextPortion() };
    this.questions.set(id, question);
    // A question that is waited for keeps the program running.
    this.child.ref();
    this.child.channel?.ref();
    try {
      this.send({ ...message, id, connection });
      for (;;) {
        const { rows, done } = await question.answer.promise;
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the DuckDB process returns exactly these rows
        yield rows as Row[];
        if (done) return;
        question.answer = nextPortion();
        this.send({ do: 'next', id });
      }
    } finally {
      clearInterval(timer);
      this.charge(company);
      this.questions.delete(id);
      this.send({ do: 'end', id });
      if (this.questions.size === 0) this.rest();
    }
  }

  private take(message: FromCalculator): void {
    const question = this.questions.get(message.id);
    if ('error' in message) question?.answer.reject(new Error(message.error));
    else if ('refused' in message) question?.answer.reject(refusal(message.refused));
    else question?.answer.resolve(message);
  }

  private interrupt(connection: number): void {
    const running = [...this.questions].filter(([, question]) => question.connection === connection);
    if (running.length === 0) return;
    const began = performance.now();
    const before = processorMs(this.child.pid);
    const check = () => {
      if (!running.some(([id]) => this.questions.has(id))) return clearInterval(timer);
      const waited = performance.now() - began;
      const now = processorMs(this.child.pid);
      const computed = now === undefined || before === undefined ? waited : now - before;
      if (waited > LONGEST_MS || (waited > INTERRUPT_MS && computed > COMPUTED_MS)) this.end();
      // Sent again, as an interrupt that arrives before its statement begins has no effect.
      else this.send({ do: 'interrupt', connection });
    };
    const timer = setInterval(check, CHECK_MS).unref();
    check();
  }

  private closeConnection(connection: number): void {
    this.connections.delete(connection);
    this.send({ do: 'close', connection });
    if (this.isFree) this.onFree();
  }

  /** Charges the company for the processor time since the last call, and lowers the priority if it has used much. */
  private charge(company: string): void {
    const used = processorMs(this.child.pid);
    if (used === undefined) return;
    this.loads.add(company, used - this.charged);
    this.charged = used;
    if (this.loads.isHeavy(company)) this.giveWay();
  }

  /** Lowers the process's priority permanently: only the superuser could raise it again. */
  giveWay(): void {
    if (this.isSlow) return;
    this.isSlow = true;
    for (const thread of threadsOf(this.child.pid)) {
      try {
        setPriority(thread, SLOW_NICENESS);
      } catch {
        // The thread has just ended, or the machine does not allow it: then the priority stays.
      }
    }
  }

  private rest(): void {
    this.child.unref();
    this.child.channel?.unref();
  }

  private send(message: ToCalculator): void {
    // A failed send shows in the missing answer or in the end of the process.
    if (this.child.connected) this.child.send(message, () => {});
  }

  private onLost(cause: unknown): void {
    if (this.isLost) return;
    this.isLost = true;
    rmSync(spillFolder(this.options), { recursive: true, force: true });
    for (const { answer } of this.questions.values()) answer.reject(new LostCalculation(cause));
    this.onFree();
  }
}
