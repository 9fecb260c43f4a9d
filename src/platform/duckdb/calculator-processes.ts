import { AsyncLocalStorage } from 'node:async_hooks';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { CalculatorProcess } from './calculator-process.ts';
import { CompanyLoads } from './company-loads.ts';
import type { Calculator, Connection } from './connection.ts';
import type { DuckOptions } from './instance.ts';

/** The company whose request is being answered: what it asks is computed where it computes already. */
export const askingCompany = new AsyncLocalStorage<string>();

export type ProcessLimits = {
  /** How many processes there are at most. */
  readonly most: number;
  /** How long one is kept that nobody asks: starting another takes a quarter of a second. */
  readonly restMs: number;
};
/** Whoever asked so lately asks again: his process has read what he looks at. */
const KEPT_MS = 10_000;
const LIMITS: ProcessLimits = { most: 3, restMs: 3 * 60_000 };

/**
 * Computes in processes of their own, so that what one company asks holds up neither the program nor the others: a company stays in the
 * process where something of it runs, the next one gets another; whoever computed much gets one that gives way to the others. They start with the first question and end when nobody asks.
 */
export class CalculatorProcesses implements Calculator {
  private readonly options: DuckOptions;
  private readonly limits: ProcessLimits;
  private readonly loads: CompanyLoads;
  private processes: CalculatorProcess[] = [];
  private readonly rests = new Map<CalculatorProcess, NodeJS.Timeout>();
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

  // oxlint-disable-next-line typescript/require-await -- as a calculator connects
  async connect(): Promise<Connection> {
    if (this.closed) throw new Error('The calculator is closed');
    const company = askingCompany.getStore() ?? '';
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

  /** The processes' numbers; for tests. */
  pids(): number[] {
    return this.processes.flatMap(({ pid }) => pid ?? []);
  }

  close(): void {
    this.closed = true;
    for (const process of this.processes) process.end();
  }

  private processFor(company: string): CalculatorProcess {
    const own = this.processes.find((process) => process.serves(company));
    if (own !== undefined) return own;
    const isHeavy = this.loads.isHeavy(company);
    const alike = this.processes.filter(({ isSlow }) => isSlow === isHeavy);
    // One is always left to those who computed little.
    const most = isHeavy ? Math.max(1, this.limits.most - 1) : this.limits.most;
    const hasRoom = this.processes.length < most;
    const idle = idleFor(company, alike, hasRoom);
    const shared = hasRoom ? undefined : (leastBusy(alike) ?? leastBusy(this.processes));
    const process = idle ?? shared ?? this.start();
    // Where others compute too it gives way when this company has computed there (`charge`).
    if (isHeavy && process.running === 0) process.giveWay();
    return process;
  }

  private start(): CalculatorProcess {
    const instance = `${this.options.instance ?? 'main'}-${++this.started}`;
    const process: CalculatorProcess = new CalculatorProcess({ ...this.options, instance }, this.loads, () =>
      this.freed(process),
    );
    this.processes.push(process);
    return process;
  }

  private freed(process: CalculatorProcess): void {
    clearTimeout(this.rests.get(process));
    if (process.isLost) {
      this.processes = this.processes.filter((one) => one !== process);
      this.rests.delete(process);
    } else this.rests.set(process, setTimeout(() => process.end(), this.restMs(process)).unref());
  }

  /** One that gave way serves companies that compute much only, so that it is soon of no use. */
  private restMs({ isSlow }: CalculatorProcess): number {
    return isSlow ? this.limits.restMs / 6 : this.limits.restMs;
  }
}

/** One that has nothing to do: that of the same company before others, and nobody's who asked a moment ago where another may start. */
function idleFor(
  company: string,
  processes: readonly CalculatorProcess[],
  hasRoom: boolean,
): CalculatorProcess | undefined {
  const idle = processes.filter(({ running }) => running === 0).toSorted((a, b) => a.lastAsked.at - b.lastAsked.at);
  const own = idle.findLast(({ lastAsked }) => lastAsked.company === company);
  return own ?? idle.find(({ lastAsked }) => !hasRoom || performance.now() - lastAsked.at > KEPT_MS);
}

function leastBusy(processes: readonly CalculatorProcess[]): CalculatorProcess | undefined {
  return processes.toSorted((a, b) => a.running - b.running)[0];
}
