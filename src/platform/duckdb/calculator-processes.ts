import { AsyncLocalStorage } from 'node:async_hooks';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { CalculatorProcess } from './calculator-process.ts';
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
const LIMITS: ProcessLimits = { most: 3, restMs: 3 * 60_000 };

/**
 * Computes in processes of their own, so that what one company asks holds up neither the program nor the others: a company stays in the
 * process where something of it runs, the next one gets another. They start with the first question and end when nobody asks.
 */
export class CalculatorProcesses implements Calculator {
  private readonly options: DuckOptions;
  private readonly limits: ProcessLimits;
  private processes: CalculatorProcess[] = [];
  private readonly rests = new Map<CalculatorProcess, NodeJS.Timeout>();
  private started = 0;
  private closed = false;

  constructor(options: DuckOptions, limits: ProcessLimits = LIMITS) {
    this.options = options;
    this.limits = limits;
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
    const idle = this.processes.find((process) => process.running === 0 && !process.isSlow);
    if (own ?? idle) return own ?? idle ?? this.start();
    if (this.processes.length < this.limits.most) return this.start();
    return this.processes.toSorted((a, b) => a.running - b.running)[0] ?? this.start();
  }

  private start(): CalculatorProcess {
    const instance = `${this.options.instance ?? 'main'}-${++this.started}`;
    const process: CalculatorProcess = new CalculatorProcess({ ...this.options, instance }, () => this.freed(process));
    this.processes.push(process);
    return process;
  }

  private freed(process: CalculatorProcess): void {
    clearTimeout(this.rests.get(process));
    if (process.isLost) {
      this.processes = this.processes.filter((one) => one !== process);
      this.rests.delete(process);
    } else if (process.isSlow) {
      // What gave way once cannot take it back; the next one starts anew.
      this.processes = this.processes.filter((one) => one !== process);
      this.rests.delete(process);
      process.end();
    } else this.rests.set(process, setTimeout(() => process.end(), this.limits.restMs).unref());
  }
}
