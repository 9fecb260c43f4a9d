import { AsyncLocalStorage } from 'node:async_hooks';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { DuckDbProcess } from './calculator-process.ts';
import { CompanyLoads } from './company-loads.ts';
import type { Calculator, Connection } from './connection.ts';
import type { DuckOptions } from './instance.ts';

/** The company whose request is being answered: its questions run in the process that already computes for it. */
export const requestCompany = new AsyncLocalStorage<string>();

export type ProcessLimits = {
  /** Largest number of processes. */
  readonly most: number;
  /** How long an unused process is kept, in ms: starting another takes a quarter of a second. */
  readonly restMs: number;
};
/** How long, in ms, an idle process is kept for the company that used it last: its files are cached there. */
const KEPT_MS = 10_000;
const LIMITS: ProcessLimits = { most: 3, restMs: 3 * 60_000 };

/**
 * Runs DuckDB in separate processes, so that one company's questions hold up neither the program nor other companies. A company
 * stays in the process that runs one of its questions, the next company gets another; a company that computed much gets a
 * process with a lower priority. Processes start with the first question and end when unused.
 */
export class CalculatorProcesses implements Calculator {
  private readonly options: DuckOptions;
  private readonly limits: ProcessLimits;
  private readonly loads: CompanyLoads;
  private processes: DuckDbProcess[] = [];
  private readonly rests = new Map<DuckDbProcess, NodeJS.Timeout>();
  private started = 0;
  private closed = false;

  constructor(
    options: DuckOptions,
    limits: ProcessLimits = LIMITS,
    loads: CompanyLoads = new CompanyLoads(() => performance.now()),
  ) {
    this.options = options;
    this.limits = limits;
    this.loads = loads;
  }

  // oxlint-disable-next-line typescript/require-await -- the type Calculator wants a promise
  async connect(): Promise<Connection> {
    if (this.closed) throw new Error('The calculator is closed');
    const company = requestCompany.getStore() ?? '';
    const process = this.processFor(company);
    clearTimeout(this.rests.get(process));
    return process.connect(company);
  }

  measure(metrics: Metrics): void {
    metrics.reading(
      'kontor_question_processes',
      'Processes that compute what people ask.',
      () => this.processes.filter(({ pid }) => pid !== undefined).length,
    );
  }

  /** Returns the process ids; for tests. */
  pids(): number[] {
    return this.processes.flatMap(({ pid }) => pid ?? []);
  }

  close(): void {
    this.closed = true;
    for (const process of this.processes) process.end();
  }

  private processFor(company: string): DuckDbProcess {
    const own = this.processes.find((process) => process.serves(company));
    if (own !== undefined) return own;
    const isHeavy = this.loads.isHeavy(company);
    const alike = this.processes.filter(({ isSlow }) => isSlow === isHeavy);
    // One process is always left to companies that computed little.
    const most = isHeavy ? Math.max(1, this.limits.most - 1) : this.limits.most;
    const hasRoom = this.processes.length < most;
    const idle = idleFor(company, alike, hasRoom);
    const shared = hasRoom ? undefined : (leastBusy(alike) ?? leastBusy(this.processes));
    const process = idle ?? shared ?? this.start();
    // If others use the process as well, its priority is lowered only when this company has computed there (`charge`).
    if (isHeavy && process.running === 0) process.giveWay();
    return process;
  }

  private start(): DuckDbProcess {
    const instance = `${this.options.instance ?? 'main'}-${++this.started}`;
    const process: DuckDbProcess = new DuckDbProcess({ ...this.options, instance }, this.loads, () =>
      this.freed(process),
    );
    this.processes.push(process);
    return process;
  }

  private freed(process: DuckDbProcess): void {
    clearTimeout(this.rests.get(process));
    if (process.isLost) {
      this.processes = this.processes.filter((one) => one !== process);
      this.rests.delete(process);
    } else this.rests.set(process, setTimeout(() => process.end(), this.restMs(process)).unref());
  }

  /** Returns how long an unused process is kept, in ms; shorter for a slow one, which serves only heavy companies. */
  private restMs({ isSlow }: DuckDbProcess): number {
    return isSlow ? this.limits.restMs / 6 : this.limits.restMs;
  }
}

/** Returns an idle process: this company's last one, else one not used recently, or any if no other may be started. */
function idleFor(company: string, processes: readonly DuckDbProcess[], hasRoom: boolean): DuckDbProcess | undefined {
  const idle = processes.filter(({ running }) => running === 0).toSorted((a, b) => a.lastAsked.at - b.lastAsked.at);
  const own = idle.findLast(({ lastAsked }) => lastAsked.company === company);
  return own ?? idle.find(({ lastAsked }) => !hasRoom || performance.now() - lastAsked.at > KEPT_MS);
}

function leastBusy(processes: readonly DuckDbProcess[]): DuckDbProcess | undefined {
  return processes.toSorted((a, b) => a.running - b.running)[0];
}
