import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { processEnvironment } from '../scripts/process-options.ts';
import { startKontor } from './kontor-process.ts';

/** What the load speaks with: one program, or many behind a proxy. */
export type Stage = {
  readonly url: string;
  /** False while nobody is there: nothing is asked then. */
  readonly answers: boolean;
  /** Begins to watch a call; gives whether something was broken on purpose meanwhile. A call that fails otherwise is a fault. */
  watch(): () => boolean;
};

/** Where the data of a stage are looked at from beside: a folder, or a server. */
export type StageData = { readonly folder: string; readonly databaseUrl: string | undefined };

/** The program that is killed and started again, on the same data. */
export class LongRunStage implements Stage, StageData {
  lives = 0;
  /** Why the program is gone although nobody killed it. */
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

  /** How long (ms) it took until the program said where it is. */
  async start(): Promise<number> {
    const begun = performance.now();
    // The sandbox is on this machine, which only a test may speak with.
    const environment = { ...processEnvironment, NODE_ENV: 'test', KONTOR_EGRESS_LOOPBACK: '1' };
    const database = this.databaseUrl === undefined ? undefined : { DATABASE_URL: this.databaseUrl };
    const started = await startKontor(this.folder, { ...environment, ...database }, 'scripts/start.ts');
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
