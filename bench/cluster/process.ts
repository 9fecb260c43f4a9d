import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { processEnvironment } from '../../scripts/process-options.ts';
import { startKontor } from '../kontor-process.ts';

/** As in the unit that we ship (deploy/systemd/kontor@.service, RestartSec). */
const RESTART_MS = 2000;

export type Role = 'web' | 'worker';
type Settings = {
  readonly name: string;
  readonly role: Role;
  readonly folder: string;
  /** 0: any free port. */
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
};

/** One process of a cluster and its supervisor, which restarts it however it ended. */
export class ClusterProcess {
  readonly name: string;
  readonly role: Role;
  /** Milliseconds of each start until it printed its address. */
  readonly starts: number[] = [];
  /** Failed starts, with their output. */
  readonly refused: string[] = [];
  /** Unexpected ends. */
  readonly ends: string[] = [];
  /** Output of all its runs. */
  output = '';
  url = '';
  private readonly settings: Settings;
  private child: ChildProcess | undefined;
  private killed = false;
  private stopped = false;
  private again: Promise<void> | undefined;

  constructor(settings: Settings) {
    this.settings = settings;
    this.name = settings.name;
    this.role = settings.role;
  }

  /** undefined while it is down or starting. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** @throws its output if it does not start */
  async start(): Promise<void> {
    const { folder, role, port, environment } = this.settings;
    const begun = performance.now();
    const { url, child } = await startKontor(
      folder,
      {
        ...processEnvironment,
        ...environment,
        // The sandbox is on this machine, which the program may only call in a test.
        NODE_ENV: 'test',
        KONTOR_EGRESS_LOOPBACK: '1',
        KONTOR_ROLE: role,
        KONTOR_TRUST_PROXY: '1',
        KONTOR_LOG: 'warn',
        PORT: String(port),
      },
      'scripts/start.mjs',
    );
    this.starts.push(performance.now() - begun);
    this.killed = false;
    this.url = url;
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.once('exit', (code, signal) => {
      this.child = undefined;
      if (this.stopped) return;
      if (!this.killed) this.ends.push(`${code} ${signal}`);
      this.again = this.startAgain();
    });
    if (this.stopped) child.kill('SIGKILL');
  }

  /** Kills it as a power failure would. On a busy machine that takes a moment, in which the process may still answer. */
  async kill(): Promise<void> {
    const { child } = this;
    this.killed = true;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Stops it gracefully, without a restart. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.again;
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 40_000);
    await gone;
    clearTimeout(late);
  }

  private async startAgain(): Promise<void> {
    while (!this.stopped) {
      await wait(RESTART_MS);
      if (this.stopped) return;
      try {
        await this.start();
        return;
      } catch (error) {
        this.refused.push(error instanceof Error ? error.message : String(error));
      }
    }
  }
}
