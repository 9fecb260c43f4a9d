import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { processEnvironment } from '../../scripts/process-options.ts';
import { startKontor } from '../kontor-process.ts';

/** The program under load: one process, or many behind a proxy. */
export type Stage = {
  readonly url: string;
  /** False while it is down: then nothing is requested. */
  readonly answers: boolean;
  /**
   * Starts to watch a call; the returned function says whether a disturbance happened meanwhile. Any other failed call is an
   * error.
   */
  watch(): () => boolean;
};

/** Where a stage's data can be inspected from outside: a folder, or a server. */
export type StageData = { readonly folder: string; readonly databaseUrl: string | undefined };

/** The program that is killed and started again, on the same data. */
export class LongRunStage implements Stage, StageData {
  lives = 0;
  /** Why the program ended without being killed. */
  ended: string | undefined;
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  private running: { url: string; child: ChildProcess } | undefined;

  constructor(folder: string, databaseUrl: string | undefined) {
    this.folder = folder;
    this.databaseUrl = databaseUrl;
  }

  get url(): string {
    return this.running?.url ?? 'http://127.0.0.1:9';
  }

  get pid(): number | undefined {
    return this.running?.child.pid;
  }

  get answers(): boolean {
    return this.running !== undefined;
  }

  watch(): () => boolean {
    const { lives } = this;
    return () => this.running === undefined || this.lives !== lives;
  }

  /** Starts it; returns the milliseconds until it printed its address. */
  async start(): Promise<number> {
    const begun = performance.now();
    // The sandbox is on this machine, which the program may only call in a test.
    const environment = { ...processEnvironment, NODE_ENV: 'test', KONTOR_EGRESS_LOOPBACK: '1' };
    const database = this.databaseUrl === undefined ? undefined : { DATABASE_URL: this.databaseUrl };
    const started = await startKontor(this.folder, { ...environment, ...database }, 'scripts/start.mjs');
    const { lives } = this;
    started.child.once('exit', (code, signal) => {
      if (this.running === undefined || this.lives !== lives + 1) return;
      this.ended = `Das Programm endete von selbst: ${code} ${signal}`;
    });
    this.lives = lives + 1;
    this.running = started;
    return performance.now() - begun;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.running?.child;
    this.running = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}
