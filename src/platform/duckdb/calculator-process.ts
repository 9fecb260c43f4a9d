import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { compileCache } from '#platform/compile-cache.ts';
import { KontorError } from '#platform/errors.ts';
import { FromCalculator, type ToCalculator, type Way } from './calculator-messages.ts';
import type { CompanyLoads } from './company-loads.ts';
import type { Connection, DuckRow, Statement, Task, TextRow } from './connection.ts';
import { type DuckOptions, spillFolder } from './instance.ts';

/** DuckDB looks now and then whether it was interrupted, but not while it plans a statement, which can take minutes. */
const INTERRUPT_MS = 1500;
/**
 * What it must have computed since: on a slow or busy machine one that is just starting, or waits for its turn, hears late. Ending it
 * would take the answers of its company's other questions away, and the next one would have to start, too.
 */
const COMPUTED_MS = 1000;
/** Whatever waits so long without computing waits for something that does not come. */
const LONGEST_MS = 15_000;
/** How often it is looked at how much a question computes, and whether it has stopped. */
const LOOK_MS = 500;
/** On a full machine what gave way gets a third of the time of what did not: jobs run at the usual one, and a preview is still wanted beside them. */
const SLOW_NICENESS = Math.min(19, getPriority() + 5);

/** The process that computed got lost, as a rule through another question of the same company. */
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

/** Linux counts in hundredths of a second, on every machine that Node runs on. */
const TICK_MS = 10;

/** The processor time that a process has used, all threads together; undefined where the machine does not tell, or it has ended. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Its name stands in brackets and may hold anything; user and system time are the 12th and 13th after it.
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

/** The numbers of a process's threads: Linux gives each a priority of its own, and DuckDB computes on several. */
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
type Asking = Message<'ask'> | Message<'answer'>;

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

/** What comes next of a question; it may fail while nobody waits for it, when its reader has not come back for more yet. */
function nextPortion(): PromiseWithResolvers<Portion> {
  const next = Promise.withResolvers<Portion>();
  next.promise.catch(() => {});
  return next;
}

/**
 * DuckDB in a process of its own. What it computes takes neither this process's memory nor its thread, gives way when its companies
 * compute much, and can be ended at any time.
 */
export class CalculatorProcess {
  private readonly child: ChildProcess;
  private readonly options: DuckOptions;
  private readonly loads: CompanyLoads;
  private readonly onFree: () => void;
  private readonly questions = new Map<number, Question>();
  private last = 0;
  /** Which company asked last, and when: what it reads again is kept here. */
  lastAsked = { company: '', at: Number.NEGATIVE_INFINITY };
  /** The processor time that companies were charged with. */
  private charged = 0;
  /** Connections that are open, by the company that asks on them. */
  private readonly connections = new Map<number, string>();
  /** It is over. */
  isLost = false;
  /** It computes for companies that computed much, and gives way to others. */
  isSlow = false;

  /** `onFree` is called whenever its last connection was closed, and when it is over. */
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
    this.child.on('error', (error) => this.lose(error));
    this.child.on('exit', (code, signal) => this.lose(new Error(`ended with ${code ?? signal}`)));
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

  /** Whether something of this company runs on it. */
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

  /** Ends it at once, with all that runs. */
  end(): void {
    this.child.kill('SIGKILL');
  }

  private async *ask<Row>(connection: number, asking: Asking): AsyncGenerator<Row[]> {
    if (this.isLost) throw new LostCalculation();
    const id = ++this.last;
    const company = this.connections.get(connection) ?? '';
    // What it did by itself, or for others until now, is not this company's.
    if (this.questions.size === 0) this.charged = processorMs(this.child.pid) ?? this.charged;
    const looks = setInterval(() => this.charge(company), LOOK_MS).unref();
    const question: Question = { connection, answer: nextPortion() };
    this.questions.set(id, question);
    // While somebody waits for an answer the program does not end by itself.
    this.child.ref();
    this.child.channel?.ref();
    try {
      this.send({ ...asking, id, connection });
      for (;;) {
        const { rows, done } = await question.answer.promise;
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the calculator makes exactly these rows for what it is asked
        yield rows as Row[];
        if (done) return;
        question.answer = nextPortion();
        this.send({ do: 'next', id });
      }
    } finally {
      clearInterval(looks);
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
    const look = () => {
      if (!running.some(([id]) => this.questions.has(id))) return clearInterval(looks);
      const waited = performance.now() - began;
      const now = processorMs(this.child.pid);
      const computed = now === undefined || before === undefined ? waited : now - before;
      if (waited > LONGEST_MS || (waited > INTERRUPT_MS && computed > COMPUTED_MS)) this.end();
      // One that came before its statement began has stopped nothing.
      else this.send({ do: 'interrupt', connection });
    };
    const looks = setInterval(look, LOOK_MS).unref();
    look();
  }

  private closeConnection(connection: number): void {
    this.connections.delete(connection);
    this.send({ do: 'close', connection });
    if (this.isFree) this.onFree();
  }

  /** Has the company answer for what was computed since the last time, and the process give way when that was much. */
  private charge(company: string): void {
    const used = processorMs(this.child.pid);
    if (used === undefined) return;
    this.loads.add(company, used - this.charged);
    this.charged = used;
    if (this.loads.isHeavy(company)) this.giveWay();
  }

  /** Lets others go first from now on. Only the machine's owner could take that back. */
  giveWay(): void {
    if (this.isSlow) return;
    this.isSlow = true;
    for (const thread of threadsOf(this.child.pid)) {
      try {
        setPriority(thread, SLOW_NICENESS);
      } catch {
        // It has just ended, or the machine does not allow it: then it computes as before.
      }
    }
  }

  private rest(): void {
    this.child.unref();
    this.child.channel?.unref();
  }

  private send(message: ToCalculator): void {
    // Whether it arrived shows in the answer, or in the end of the process.
    if (this.child.connected) this.child.send(message, () => {});
  }

  private lose(cause: unknown): void {
    if (this.isLost) return;
    this.isLost = true;
    rmSync(spillFolder(this.options), { recursive: true, force: true });
    for (const { answer } of this.questions.values()) answer.reject(new LostCalculation(cause));
    this.onFree();
  }
}
